/** The lines of targets in a build of each language, with the texts of its catalogue. */
import { expect, test, vi } from 'vitest'

import type { TargetNames } from '@stint/core/targets/target-line.ts'
import { BOUNDS, TARGET_SPANS } from '@stint/core/targets/targets.ts'
import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import { catalogueOf } from '../server/src/catalogues.ts'

/** A category and a task of one name, and names that look like other words of a line. */
const NAMES: TargetNames = {
  categories: ['Meetings', 'Café & Büro'],
  tasks: [
    { id: 'm', name: 'Meetings', category: '' },
    { id: 'd', name: 'Daily standup', category: 'Meetings' },
    { id: 'w', name: 'una semana, par semaine, pro Woche', category: '' },
  ],
}

/** What is typed, and the preference that keeps it. */
const LINES: readonly (readonly [Language, string, string, number])[] = [
  ['de', 'mindestens 10h pro Woche #Büro', 'least:week:tag:Büro', 36_000],
  ['de', '10 Std. in der Woche für #acme', 'least:week:tag:acme', 36_000],
  ['de', 'höchstens 2h am Tag Meetings', 'most:day:category:Meetings', 7200],
  ['de', 'max. 2,5h täglich Kategorie: Café & Büro', 'most:day:category:Café & Büro', 9000],
  ['de', 'bis zu 90 min pro Tag Aufgabe:Meetings', 'most:day:task:m', 5400],
  ['de', 'wenigstens 120 Stunden im Monat insgesamt', 'least:month:all', 432_000],
  ['de', 'Daily standup höchstens 15 Minuten pro Tag', 'most:day:task:d', 900],
  ['fr', 'au moins 10h par semaine #acme', 'least:week:tag:acme', 36_000],
  ['fr', 'au plus 2h par jour pour Meetings', 'most:day:category:Meetings', 7200],
  ['fr', 'au maximum 1h30 par jour tâche : Meetings', 'most:day:task:m', 5400],
  ['fr', 'jusqu’à 35h hebdomadaires en tout', 'most:week:all', 126_000],
  ['fr', '120 heures par mois', 'least:month:all', 432_000],
  ['es', 'al menos 10h a la semana #acme', 'least:week:tag:acme', 36_000],
  ['es', 'como máximo 2h al día en Meetings', 'most:day:category:Meetings', 7200],
  ['es', 'hasta 90 minutos diarios tarea:Meetings', 'most:day:task:m', 5400],
  ['es', 'por lo menos 120 horas al mes en total', 'least:month:all', 432_000],
  ['es', 'máx. 2h por día Café & Büro', 'most:day:category:Café & Büro', 7200],
  // English is read in every language.
  ['es', 'at most 2h a day Meetings', 'most:day:category:Meetings', 7200],
]

/** Returns the functions of a build in that language. */
async function buildIn(language: Language) {
  vi.resetModules()
  vi.doMock(import('@stint/core/text.ts'), async (importOriginal) => {
    const original = await importOriginal()
    return {
      ...original,
      LANGUAGE: language,
      t: original.translator(language, catalogueOf(language)),
    }
  })
  const { readTarget, targetLine } = await import('@stint/core/targets/target-line.ts')
  const { targetOf } = await import('@stint/core/targets/targets.ts')
  return { readTarget, targetLine, targetOf }
}

const TASKS = NAMES.tasks.map((task) => ({
  ...task,
  isActive: true,
  goalHours: 8,
  color: '',
  createdAt: 0,
  updatedAt: 0,
}))

test.each(LINES)(
  'In %s, “%s” is read, and read again as it is shown',
  async (language, line, key, seconds) => {
    const { readTarget, targetLine, targetOf } = await buildIn(language)
    const target = targetOf(`target:${key}`, seconds)
    if (!target) throw new Error(`${key} is no target`)
    expect(readTarget(line, NAMES)).toEqual({ kind: 'target', target })
    const shown = targetLine(target, NAMES, TASKS)
    expect([shown, readTarget(shown, NAMES)]).toEqual([shown, { kind: 'target', target }])
  },
)

test.each(LANGUAGES)('In %s, every target is read again as it is shown', async (language) => {
  const { readTarget, targetLine, targetOf } = await buildIn(language)
  const scopes = [
    'all',
    'tag:été',
    'category:Meetings',
    'category:Café & Büro',
    'task:m',
    'task:d',
    'task:w',
  ]
  for (const bound of BOUNDS) {
    for (const span of TARGET_SPANS) {
      for (const scope of scopes) {
        for (const seconds of [1, 900, 5400, 36_000, 40_530]) {
          const target = targetOf(`target:${bound}:${span}:${scope}`, seconds)
          if (!target) continue
          const shown = targetLine(target, NAMES, TASKS)
          expect([shown, readTarget(shown, NAMES)]).toEqual([shown, { kind: 'target', target }])
        }
      }
    }
  }
})
