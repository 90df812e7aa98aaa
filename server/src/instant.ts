/** Instants on the wire: UTC text with milliseconds and `+00:00`, as Appwrite sends them. */

/** A range of years in UTC, both included. */
interface Range {
  readonly first: number
  readonly last: number
}

/** The years that may be stored; others come from a wrong clock. */
export const STORED_DATES: Range = { first: 2000, last: 2100 }

/** The years that a query may name: all of four digits, as in Appwrite. */
export const ASKED_DATES: Range = { first: 1000, last: 9999 }

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** The form that `toISOString` writes, for days that every month has. */
const PLAIN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Returns epoch milliseconds as wire text. The order of such texts is the order of the times. */
export function wireInstant(epochMilliseconds: number): string {
  return `${new Date(epochMilliseconds).toISOString().slice(0, -1)}+00:00`
}

/** Returns wire text written by `wireInstant` as epoch milliseconds. */
export function epochMilliseconds(wire: string): number {
  return Date.parse(wire)
}

/**
 * Reads a client's date: ISO 8601, to the millisecond, in UTC if it has no offset.
 * @returns null if it is no date, does not exist (30 February) or lies outside the range.
 */
export function parseInstant(text: string, range: Range): number | null {
  const wire = parseWireInstant(text, range)
  return wire === null ? null : epochMilliseconds(wire)
}

/**
 * Reads a client's date as wire text. Text in the form of `toISOString` needs only a check of its
 * year.
 */
export function parseWireInstant(text: string, range: Range): string | null {
  if (PLAIN.test(text)) {
    return isWithin(Number(text.slice(0, 4)), range) ? `${text.slice(0, -1)}+00:00` : null
  }
  const instant = parseAny(text)
  if (instant === null || !isWithin(new Date(instant).getUTCFullYear(), range)) return null
  return wireInstant(instant)
}

function isWithin(year: number, { first, last }: Range): boolean {
  return year >= first && year <= last
}

function parseAny(text: string): number | null {
  const match = ISO.exec(text)
  if (match === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const utc = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`
  const date = new Date(utc)
  const offset = offsetMilliseconds(zone)
  // A day that does not exist becomes an invalid date or another day: 30 February is 2 March.
  const exists = !Number.isNaN(date.getTime()) && date.toISOString() === utc
  return exists && offset !== null ? date.getTime() - offset : null
}

function offsetMilliseconds(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
