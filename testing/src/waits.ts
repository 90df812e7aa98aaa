/**
 * How long tests run and wait until they fail, in milliseconds: what hangs ends, and how busy the
 * machine is decides nothing.
 */
export const MAX_TEST = 600_000
export const MAX_WAIT = 60_000
