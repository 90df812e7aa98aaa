/** The timer's error texts, in their one place; why a start failed is worded in sync/start-failure.ts. */

export const NO_ACTIVE_SESSION = 'No active timer session'
export const PAUSE_FAILED = 'Failed to pause timer'
export const RESUME_FAILED = 'Failed to resume timer'
export const SAVE_FAILED = 'Timer stopped, but failed to save data'
export const STOP_FAILED = 'Timer stopped, but an error occurred'
