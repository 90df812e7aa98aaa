/** Why a command failed. Scripts read the exit code; it never changes its meaning. */
export const EXIT_CODES = {
  /** The server refused the command or failed. */
  refused: 1,
  /** The command was not understood. */
  usage: 2,
  /** No timer is active. */
  'no-timer': 3,
  /** There is no key, or it is wrong, revoked or may not do this. */
  access: 4,
  /** The server cannot be reached. */
  unreachable: 5,
} as const

export type FailureKind = keyof typeof EXIT_CODES

/** An expected failure, with a message for the user. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}
