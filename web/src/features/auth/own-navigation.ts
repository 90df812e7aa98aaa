/**
 * Marks a navigation as the app's own. The mark is another one on each load of the page: the browser
 * keeps a location's state over a reload and copies it into a duplicated tab, and neither may pass for
 * a press.
 */
const MARK = Math.random()

/** The location state of the app's own links to /signout. */
export const OWN_NAVIGATION = { ownNavigation: MARK } as const

/** Whether a location's state says that a link of the app led here, since this page was loaded. */
export function isOwnNavigation(state: unknown): boolean {
  return (
    typeof state === 'object' &&
    state !== null &&
    'ownNavigation' in state &&
    state.ownNavigation === MARK
  )
}
