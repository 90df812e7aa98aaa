/** The error texts of the timer. The text for a failed start comes from sync (send-session.ts). */
import { t } from '#text.ts'

export const NO_ACTIVE_SESSION = t('No active timer session')
export const PAUSE_FAILED = t('Failed to pause timer')
export const RESUME_FAILED = t('Failed to resume timer')
// not translated: it is stored and compared; use-session-error.ts translates it
export const SAVE_FAILED = 'Timer stopped, but failed to save data'
export const STOP_FAILED = t('Timer stopped, but an error occurred')
