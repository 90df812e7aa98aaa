import { t } from '@stint/core/text.ts'

/** Returns the figures with a note if they include the running timer: '1h 5m 12s · incl. running'. */
export function withRunning(figures: string, isRunning: boolean): string {
  return isRunning ? t('{figures} · incl. running', { figures }) : figures
}
