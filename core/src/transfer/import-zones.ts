/** Reads the zones of times: offsets, names of the tz database, and abbreviations that mean one thing. */
import { isKnownTimeZone } from '#time/calendar.ts'

/** A zone as a time has it: an offset from UTC in milliseconds, or an IANA name. */
export type ImportedZone = { readonly offset: number } | { readonly timeZone: string }

/**
 * Hours from UTC. 'CST', 'IST' and other abbreviations that several zones share are not here; see
 * `readZone`.
 */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  MEZ: 1,
  CEST: 2,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  MSK: 3,
  SAST: 2,
  EAT: 3,
  PKT: 5,
  SGT: 8,
  HKT: 8,
  AWST: 8,
  JST: 9,
  KST: 9,
  ACST: 9.5,
  ACDT: 10.5,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
  HST: -10,
  AKST: -9,
  AKDT: -8,
  PST: -8,
  PDT: -7,
  MST: -7,
  MDT: -6,
  CDT: -5,
  EST: -5,
  EDT: -4,
  BRT: -3,
}

/** Abbreviations that the zone of the import decides. */
const SHARED: readonly { name: string; zone: RegExp; hours: number }[] = [
  { name: 'CST', zone: /^(?:America|US|Canada)\//, hours: -6 },
  { name: 'CST', zone: /^(?:Asia\/(?:Shanghai|Taipei|Macau|Chongqing|Harbin)|PRC|ROC)$/, hours: 8 },
  { name: 'IST', zone: /^Asia\/(?:Kolkata|Calcutta)$/, hours: 5.5 },
  { name: 'IST', zone: /^(?:Europe\/Dublin|Eire)$/, hours: 1 },
  { name: 'IST', zone: /^(?:Asia\/(?:Jerusalem|Tel_Aviv)|Israel)$/, hours: 2 },
]

const HOUR_MILLISECONDS = 3_600_000
/** No zone has ever been further from UTC. */
const MAX_OFFSET = 16 * HOUR_MILLISECONDS

/**
 * Reads '+01:00', '-0330', 'UTC+2', 'CET', 'Europe/Berlin' or '[Europe/Berlin]'. `own` is the zone
 * of the import, which decides shared abbreviations. Returns null for a zone that is not known.
 */
export function readZone(text: string, own: string): ImportedZone | null {
  const name = text.replace(/^[[(]|[\])]$/g, '').trim()
  const numbers = /^(?:utc|gmt|z)?\s?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?$/i.exec(name)
  if (numbers) {
    const [, sign, hours, minutes = '0', seconds = '0'] = numbers
    const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    if (Number(minutes) > 59 || Number(seconds) > 59 || offset > MAX_OFFSET) return null
    return { offset: sign === '-' ? -offset : offset }
  }
  const abbreviation = name.toUpperCase()
  const hours =
    ABBREVIATIONS[abbreviation] ??
    SHARED.find((each) => each.name === abbreviation && each.zone.test(own))?.hours
  if (hours !== undefined) return { offset: hours * HOUR_MILLISECONDS }
  return name.includes('/') && isKnownTimeZone(name) ? { timeZone: name } : null
}

/** A zone at the end of a time: '+01:00', ' GMT+0100 (CET)', ' CEST', '[Europe/Berlin]'. */
const ZONE_AT_END =
  /^(.*\d|.*\d ?[ap](?:\.? ?m\.?)?)\s?((?:utc|gmt|z)?\s?[+-]\d{1,2}(?::?\d{2}){0,2}|[a-z]{1,5}|[([]?[a-z]+\/[\w/+-]+[\])]?)$/i
/** A name in brackets after an offset says nothing more: '+01:00[Europe/Berlin]', '+0100 (CET)'. */
const SAID_TWICE = /([+-]\d{1,2}(?::?\d{2}){0,2}|Z)\s?[([][^)\]]*[)\]]$/
/** What looks like a zone and is half of a day, or the word for a time. */
const NO_ZONE = /^(?:[ap]m?|h|uhr|hrs?)$/i

/** Returns a time without the zone at its end, and that zone; '' without one. */
export function splitZone(text: string): { readonly time: string; readonly zone: string } {
  const once = text.replace(SAID_TWICE, '$1')
  const parts = ZONE_AT_END.exec(once)
  const [, time = '', zone = ''] = parts ?? []
  return parts && !NO_ZONE.test(zone) ? { time: time.trim(), zone } : { time: once, zone: '' }
}
