import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { data } from 'date-holidays/data'
import Holidays from 'date-holidays-parser'
import { expect, test } from 'vitest'

import { cutHolidays } from './cut-holidays.ts'

const CODE = readFileSync(fileURLToPath(import.meta.resolve('date-holidays/data')), 'utf8')

/** Returns the module that a build loads, as an object. */
function cut(language: string): object {
  const text = /^export const data = JSON\.parse\((.*)\)$/s.exec(cutHolidays(CODE, language))?.[1]
  const read: unknown = JSON.parse(String(JSON.parse(text ?? 'null')))
  return typeof read === 'object' && read !== null ? read : {}
}

/** Returns every public holiday of a country, its states and its regions, with its English name. */
function publicDays(from: object, country: string, year: number): string[] {
  const rules = new Holidays(from)
  const places = [
    [country],
    ...Object.keys(rules.getStates(country) ?? {}).flatMap((state) => [
      [country, state],
      ...Object.keys(rules.getRegions(country, state) ?? {}).map((region) => [
        country,
        state,
        region,
      ]),
    ]),
  ]
  return places.flatMap(([of = '', state = '', region = '']) =>
    new Holidays(from, of, state, region)
      .getHolidays(year, 'en')
      .filter(({ type }) => type === 'public')
      .map(({ date, name }) => [of, state, region, date, name].join(' ')),
  )
}

test('The cut data have every public holiday of every place', () => {
  const english = cut('en')
  for (const country of Object.keys(new Holidays(data).getCountries())) {
    expect(publicDays(english, country, 2026)).toEqual(publicDays(data, country, 2026))
  }
}, 60_000)
