/** The address typed on one form, kept for the other: location state is anybody's, so it is checked. */
export function emailFromState(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('email' in state)) return ''
  return typeof state.email === 'string' ? state.email : ''
}
