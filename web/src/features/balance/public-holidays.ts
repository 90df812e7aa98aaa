/**
 * The public holidays of countries, states and regions, by the rules of a library. The page loads it when
 * somebody chooses holidays; what is chosen is stored day by day, so that figures need no library.
 */
import type { Holiday } from '@stint/core/balance/items.ts'
import { MAX_NOTE } from '@stint/core/balance/items.ts'
import { LANGUAGE } from '@stint/core/text.ts'
import { addDays, isCalendarDate } from '@stint/core/time/calendar.ts'
import { data } from 'date-holidays/data'
import Holidays from 'date-holidays-parser'

/** A place, by its codes joined by '-': 'DE', 'DE-BY', 'DE-BY-A'. */
export interface Place {
  readonly code: string
  readonly name: string
}

/** Returns the countries, sorted by name. */
export function countries(): Place[] {
  const names = new Intl.DisplayNames(LANGUAGE, { type: 'region' })
  const codes = Object.keys(new Holidays(data).getCountries(LANGUAGE))
  return sorted(codes.map((code) => ({ code, name: names.of(code) ?? code })))
}

/** Returns the states of a country and the regions in them, sorted by name. */
export function regionsOf(country: string): Place[] {
  const rules = new Holidays(data)
  const states = Object.entries(rules.getStates(country, LANGUAGE) ?? {})
  return sorted(
    states.flatMap(([state, name]) => {
      const regions = Object.entries(rules.getRegions(country, state, LANGUAGE) ?? {})
      return [
        { code: `${country}-${state}`, name },
        ...regions.map(([region, of]) => ({
          code: `${country}-${state}-${region}`,
          name: `${name} · ${of}`,
        })),
      ]
    }),
  )
}

function sorted(places: Place[]): Place[] {
  return places.toSorted((a, b) => a.name.localeCompare(b.name, LANGUAGE))
}

/** Returns the public holidays of a place in a year, in the order of their days. */
export function holidaysOf(place: string, year: number): Holiday[] {
  const [country = '', state, region] = place.split('-')
  const rules = new Holidays(data, country, state ?? '', region ?? '')
  const byDay = new Map<string, Holiday>()
  for (const { date, start, end, name, type } of rules.getHolidays(year, LANGUAGE)) {
    if (type !== 'public') continue
    const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY))
    const first = date.slice(0, 10)
    if (!isCalendarDate(first)) continue
    // Those that begin in the afternoon are half a day.
    const isHalf = Number(date.slice(11, 13)) >= 12
    for (let index = 0; index < days; index++) {
      const from = addDays(first, index)
      const known = byDay.get(from)
      if (known && !known.isHalf) continue
      byDay.set(from, { kind: 'holiday', from, isHalf, name: name.slice(0, MAX_NOTE) })
    }
  }
  return [...byDay.values()].toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

const DAY = 86_400_000
