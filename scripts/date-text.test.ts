/** The dates that a build of each language shows are dates that it reads. */
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'
import { addDays, dateOfDay, dayNumber } from '@stint/core/time/calendar.ts'

import { catalogueOf } from '../server/src/catalogues.ts'

/** Returns the modules of a build in that language. */
async function buildIn(language: Language) {
  vi.resetModules()
  vi.doMock(import('@stint/core/text.ts'), async (importOriginal) => {
    const original = await importOriginal()
    const t = original.translator(language, catalogueOf(language))
    return { ...original, LANGUAGE: language, t }
  })
  const calendar = await import('@stint/core/time/calendar.ts')
  const period = await import('@stint/core/time/period.ts')
  const days = await import('@stint/core/time/day-text.ts')
  return { ...calendar, ...period, ...days, ...(await import('@stint/core/time/date-text.ts')) }
}

const anyDay = fc
  .integer({ min: dayNumber('1901-01-01'), max: dayNumber('2099-12-01') })
  .map(dateOfDay)
const anyContext = fc.record({
  today: anyDay,
  weekStart: fc.integer({ min: 0, max: 6 }),
  isDayFirst: fc.boolean(),
})

describe.each(LANGUAGES)('In %s', (language) => {
  test('the text of every range is read as the same range', async () => {
    const { FIRST_DAY, datesAtStart, datesText, readDates } = await buildIn(language)
    const anyRange = fc
      .tuple(anyDay, fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4000 })))
      .map(([from, days]) => ({ from, to: addDays(from, days) }))
      .filter(({ to }) => to <= '2100-01-01')
    const openRange = anyDay.map((to) => ({ from: FIRST_DAY, to }))
    fc.assert(
      fc.property(fc.oneof(anyRange, openRange), anyContext, (dates, context) => {
        const text = datesText(dates)
        expect([text, readDates(text, context)]).toEqual([text, { kind: 'dates', dates }])
        const words = text.split(/\s+/)
        const read = { kind: 'dates', dates }
        expect(datesAtStart(words, context)).toEqual({ read, taken: words.length })
      }),
      { numRuns: 300 },
    )
  })

  test('the label of every period and each form of a day are read', async () => {
    const build = await buildIn(language)
    const { PERIOD_VIEWS, periodContaining, periodDates, periodLabel, readDates, readDay } = build
    fc.assert(
      fc.property(anyDay, anyContext, fc.constantFrom(...PERIOD_VIEWS), (day, context, view) => {
        const period = periodContaining(view, day, context.weekStart)
        const label = periodLabel(period)
        const dates = periodDates(period)
        expect([label, readDates(label, context)]).toEqual([label, { kind: 'dates', dates }])
        const texts = [
          day,
          build.formatFullDate(day),
          build.formatWeekdayAndDate(day, true),
          build.spokenDate(day),
        ]
        for (const text of texts) expect([text, readDay(text, context)]).toEqual([text, day])
      }),
      { numRuns: 300 },
    )
  })
})
