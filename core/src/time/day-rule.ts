/**
 * Where days begin and end. A day of the rule is [its date at the hour, the next date at the hour)
 * in the zone. Clock times, and the 24 hours of a date, do not depend on the hour.
 */
export interface DayRule {
  /** An IANA name. */
  readonly timeZone: string
  /** A full hour, 0 … 23. */
  readonly startHour: number
}

/**
 * Returns the rule. The same values return the same object, so that it can be compared and used as
 * a key. On a server with people of very many rules another object may be returned later.
 */
export function dayRuleOf(timeZone: string, startHour = 0): DayRule {
  const key = `${timeZone} ${startHour}`
  const known = RULES.get(key)
  if (known) return known
  const rule = { timeZone, startHour }
  if (RULES.size >= MAX_RULES) RULES.clear()
  RULES.set(key, rule)
  return rule
}

/** What is computed for a rule is kept as long as the rule. */
const MAX_RULES = 200
const RULES = new Map<string, DayRule>()
