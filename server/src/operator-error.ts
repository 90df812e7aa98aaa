/** A problem that the operator must fix; the message says how, and is shown without a stack trace. */
export class OperatorError extends Error {}
