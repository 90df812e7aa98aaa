/** The language of the session filter in a build of each language, with the texts of its catalogue. */
import { expect, test, vi } from 'vitest'

import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import { catalogueOf } from '../server/src/catalogues.ts'

const TRANSLATED = LANGUAGES.filter((language) => language !== 'en')

const EXAMPLES: readonly [Language, string, string[]][] = [
  ['de', 'heute', ['23. Nov. 2026']],
  ['de', 'gestern', ['22. Nov. 2026']],
  ['de', 'diese Woche', ['23.–29. Nov. 2026']],
  ['de', 'letzten Monat', ['Oktober 2026']],
  ['de', 'die letzten 7 Tage', ['17.–23. Nov. 2026']],
  ['de', 'März', ['März 2026']],
  ['de', '14. märz', ['14. März 2026']],
  ['de', 'Okt. 2025', ['Oktober 2025']],
  ['de', 'vor 9:00', ['begonnen vor 09:00']],
  ['de', 'ab 18:00', ['begonnen um 18:00 oder später']],
  ['de', 'Aufgabe:"Neue Stelle" kategorie:Admin', ['Aufgabe: Neue Stelle', 'Kategorie: Admin']],
  ['de', '>2 Std.', ['länger als 2 Stunden']],
  ['de', '-#acme', ['nicht #acme']],
  ['de', 'abrechenbar -abgerechnet', ['abrechenbar', 'nicht abgerechnet']],
  ['fr', 'aujourd’hui', ['23 nov. 2026']],
  ['fr', "aujourd'hui", ['23 nov. 2026']],
  ['fr', 'hier', ['22 nov. 2026']],
  ['fr', 'la semaine dernière', ['16–22 nov. 2026']],
  ['fr', 'l’année dernière', ['2025']],
  ['fr', '7 derniers jours', ['17–23 nov. 2026']],
  ['fr', 'mars', ['mars 2026']],
  ['fr', '1er août', ['1 août 2026']],
  ['fr', 'avant 9h30', ['commencée avant 09:30']],
  ['fr', 'tache:x', ['Tâche : x']],
  ['fr', '-facturable facturé', ['sauf facturable', 'facturée']],
  ['es', 'hoy', ['23 nov 2026']],
  ['es', 'el mes pasado', ['octubre de 2026']],
  ['es', 'los ultimos 7 días', ['17–23 nov 2026']],
  ['es', '14 de marzo de 2025', ['14 mar 2025']],
  ['es', 'después de las 18:00', ['empezada a las 18:00 o más tarde']],
  ['es', 'categoria:x', ['Categoría: x']],
  ['es', 'facturable -facturado', ['facturable', 'excepto facturada']],
]

/** Words that every language knows, and those of another one. */
const ENGLISH =
  'today yesterday last week last 7 days before 9:00 after 6 pm march task:x category:x billable invoiced'
const KINDS = [
  'dates',
  'dates',
  'dates',
  'dates',
  'clock',
  'clock',
  'dates',
  'task',
  'category',
  'billable',
  'invoiced',
]

/** Returns the parts of a filter as a build in that language reads them. */
async function partsIn(language: Language, text: string) {
  vi.resetModules()
  vi.doMock(import('@stint/core/text.ts'), async (importOriginal) => {
    const original = await importOriginal()
    return {
      ...original,
      LANGUAGE: language,
      t: original.translator(language, catalogueOf(language)),
    }
  })
  const { parseFilter } = await import('@stint/core/record/session-filter.ts')
  const context = {
    now: Date.parse('2026-11-23T12:00:00Z'),
    dayRule: dayRuleOf('Europe/Berlin'),
    weekStart: 1,
  }
  return parseFilter(text, context).parts
}

test.each(EXAMPLES)('In %s, %s is read', async (language, text, meanings) => {
  const parts = await partsIn(language, text)
  expect(parts.map(({ meaning }) => meaning.replaceAll(/\s/gu, ' '))).toEqual(meanings)
})

test.each(TRANSLATED)('In %s, the English words are read too', async (language) => {
  const parts = await partsIn(language, ENGLISH)
  expect(parts.map(({ condition }) => condition.kind)).toEqual(KINDS)
})

test.each(TRANSLATED)('In %s, every phrase of the catalogue is read', async (language) => {
  const catalogue = catalogueOf(language)
  const phrases = Object.entries(catalogue).filter(([message]) => message.startsWith('filter|'))
  expect(phrases).toHaveLength(6)
  for (const [message, texts = ''] of phrases) {
    for (const phrase of texts.split('/')) {
      const isClock = /\|(?:before|after)$/.test(message)
      const isField = /\|(?:task|category)$/.test(message)
      const typed = isField ? `${phrase}:x` : isClock ? `${phrase} 9:00` : phrase
      const parts = await partsIn(language, typed)
      expect([typed, parts.map(({ condition }) => condition.kind)]).toEqual([
        typed,
        [isClock ? 'clock' : message.slice(7)],
      ])
    }
  }
})
