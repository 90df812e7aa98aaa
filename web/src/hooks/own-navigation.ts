/**
 * The location state of the app's own links to /signout. It differs on each page load, because the
 * browser keeps the state over a reload and copies it to a duplicated tab, and neither is a press of
 * Sign Out.
 */
export const OWN_NAVIGATION = performance.timeOrigin
