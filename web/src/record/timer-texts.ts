/** The error texts of the timer. The text for a failed start comes from sync/start-failure.ts. */

export const NO_ACTIVE_SESSION = 'No active timer session'
export const PAUSE_FAILED = 'Failed to pause timer'
export const RESUME_FAILED = 'Failed to resume timer'
export const SAVE_FAILED = 'Timer stopped, but failed to save data'
export const STOP_FAILED = 'Timer stopped, but an error occurred'
