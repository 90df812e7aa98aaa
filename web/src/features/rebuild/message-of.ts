import { t } from '@stint/core/text.ts'

/** Returns what went wrong with a source of this name. */
export function messageOf(error: unknown, name: string): string {
  return error instanceof Error ? error.message : t('Couldn’t read {name}.', { name })
}
