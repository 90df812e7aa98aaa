/** The keys of localStorage under which this browser keeps something about whoever is signed in. */
export const PERSONAL_KEYS = { events: 'stint-events', activity: 'stint-activity' } as const
