/** The lines of an hours account in a build of each language, with the texts of its catalogue. */
import { expect, test, vi } from 'vitest'

import { itemOf } from '@stint/core/balance/items.ts'
import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import { catalogueOf } from '../server/src/catalogues.ts'

const TODAY = { today: '2026-11-30', weekStart: 1 } as const

/** What is typed, and the preference that keeps it. */
const LINES: readonly (readonly [Language, string, string, unknown])[] = [
  [
    'de',
    '38,5h Mo–Fr seit 1. März, beginnend mit +12h',
    'contract:2026-03-01',
    '138600/week 12345; 43200',
  ],
  ['de', '20 Std. Mo–Mi ab 1. Januar', 'contract:2027-01-01', '72000/week 123'],
  [
    'de',
    'ungerade Wochen 40h Mo–Fr, gerade Wochen 32h Mo–Do seit 1. März',
    'contract:2026-03-01',
    'odd 144000/week 12345, even 115200/week 1234',
  ],
  ['de', '160h im Monat seit 2026', 'contract:2026-01-01', '576000/month 12345'],
  ['de', 'Montag bis Freitag je 8h seit gestern', 'contract:2026-11-29', '28800/day 12345'],
  ['de', 'Urlaub 3.–14. August', 'dayoff:2026-08-03:vacation', '2026-08-14'],
  ['de', 'krank heute nachmittag', 'dayoff:2026-11-30:sick:pm', '2026-11-30 pm'],
  ['de', 'halber Tag Urlaub am 24.12.', 'dayoff:2026-12-24:vacation', '2026-12-24 half'],
  ['de', 'Freitag 2h frei', 'dayoff:2026-12-04:other', '2026-12-04 7200'],
  ['de', 'morgen frei', 'dayoff:2026-12-01:other', '2026-12-01'],
  ['de', 'Feiertag 15. Aug Mariä Himmelfahrt', 'holiday:2026-08-15', 'whole Mariä Himmelfahrt'],
  ['de', '-8h ausgezahlt 31. Mai', 'correction:2026-05-31:ausgezahlt', -28_800],
  ['de', 'höchstens 40h am Monatsende seit 2026', 'cap:month:2026-01-01', 144_000],
  [
    'de',
    '30 Urlaubstage pro Jahr seit 2026, Resturlaub bis 31. März',
    'allowance:2026',
    '30 03-31',
  ],
  ['de', 'Abrechnungszeitraum 20.–19. seit 20. Januar', 'period:2026-01-20', '20'],
  ['de', 'Lohnperioden 1. bis 15. und 16. bis Monatsende seit 2026', 'period:2026-01-01', '1 16'],
  ['de', 'Abrechnungszeiträume von zwei Wochen seit 5. Januar', 'period:2026-01-05', '2w'],
  ['de', 'Abrechnungszeitraum alle 2 Wochen seit 5. Januar', 'period:2026-01-05', '2w'],
  ['de', 'zweiwöchige Lohnperioden seit 5. Januar', 'period:2026-01-05', '2w'],
  ['de', 'wöchentliche Abrechnungszeiträume seit 2. März', 'period:2026-03-02', '1w'],
  ['de', 'Abrechnungszeiträume alle vier Wochen seit 2026', 'period:2026-01-01', '4w'],
  ['fr', 'périodes de paie de deux semaines depuis le 5 janvier', 'period:2026-01-05', '2w'],
  ['fr', 'périodes de paie toutes les 2 semaines depuis le 5 janvier', 'period:2026-01-05', '2w'],
  ['fr', 'périodes de paie hebdomadaires depuis le 2 mars', 'period:2026-03-02', '1w'],
  ['es', 'períodos de pago de dos semanas desde el 5 de enero', 'period:2026-01-05', '2w'],
  ['es', 'períodos de nómina cada 4 semanas desde el 5 de enero', 'period:2026-01-05', '4w'],
  ['es', 'períodos de pago semanales desde el 2 de marzo', 'period:2026-03-02', '1w'],
  ['de', '80h pro Abrechnungszeitraum seit 2026', 'contract:2026-01-01', '288000/period 12345'],
  ['fr', 'périodes de paie 1er au 15 et 16 à fin de mois depuis 2026', 'period:2026-01-01', '1 16'],
  ['fr', '80h par période de paie depuis 2026', 'contract:2026-01-01', '288000/period 12345'],
  [
    'es',
    'períodos de nómina del 1 al 15 y del 16 a fin de mes desde 2026',
    'period:2026-01-01',
    '1 16',
  ],
  [
    'es',
    'como máximo 40h al final de cada período de pago desde 2026',
    'cap:period:2026-01-01',
    144_000,
  ],
  [
    'fr',
    '35h lun–ven depuis le 1er mars, en partant de -2h',
    'contract:2026-03-01',
    '126000/week 12345; -7200',
  ],
  [
    'fr',
    '7h30 par jour du lundi au vendredi depuis hier',
    'contract:2026-11-29',
    '27000/day 12345',
  ],
  [
    'fr',
    'semaines paires 28h lun–jeu, semaines impaires 35h depuis 2026',
    'contract:2026-01-01',
    'odd 126000/week 12345, even 100800/week 1234',
  ],
  ['fr', 'congés du 3 au 14 août', 'dayoff:2026-08-03:vacation', '2026-08-14'],
  ['fr', "malade aujourd'hui après-midi", 'dayoff:2026-11-30:sick:pm', '2026-11-30 pm'],
  ['fr', 'demi-journée de congés 24 déc', 'dayoff:2026-12-24:vacation', '2026-12-24 half'],
  ['fr', 'absence 2h vendredi', 'dayoff:2026-12-04:other', '2026-12-04 7200'],
  ['fr', 'jour férié 15 août Assomption', 'holiday:2026-08-15', 'whole Assomption'],
  ['fr', '-8h récupération 31 mai', 'correction:2026-05-31:récupération', -28_800],
  ['fr', 'au plus 40h à la fin de chaque mois depuis 2026', 'cap:month:2026-01-01', 144_000],
  ['fr', '25 jours de congés par an depuis 2026', 'allowance:2026', '25'],
  [
    'es',
    '37,5h lun–vie desde el 1 de marzo, empezando con +12h',
    'contract:2026-03-01',
    '135000/week 12345; 43200',
  ],
  ['es', 'de lunes a viernes 8h al día desde ayer', 'contract:2026-11-29', '28800/day 12345'],
  ['es', '1700h al año desde 2026', 'contract:2026-01-01', '6120000/year 12345'],
  ['es', 'vacaciones del 3 al 14 de agosto', 'dayoff:2026-08-03:vacation', '2026-08-14'],
  ['es', 'enferma hoy por la tarde', 'dayoff:2026-11-30:sick:pm', '2026-11-30 pm'],
  ['es', 'medio día de vacaciones 24 dic', 'dayoff:2026-12-24:vacation', '2026-12-24 half'],
  ['es', 'libre 2h el viernes', 'dayoff:2026-12-04:other', '2026-12-04 7200'],
  ['es', 'libre mañana', 'dayoff:2026-12-01:other', '2026-12-01'],
  ['es', 'festivo 15 ago Asunción', 'holiday:2026-08-15', 'whole Asunción'],
  ['es', '-8h pagadas 31 mayo', 'correction:2026-05-31:pagadas', -28_800],
  ['es', 'como máximo 40h al final de cada mes desde 2026', 'cap:month:2026-01-01', 144_000],
  [
    'es',
    '22 días de vacaciones al año desde 2026, traslado hasta el 31 de marzo',
    'allowance:2026',
    '22 03-31',
  ],
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
  const { readLine } = await import('@stint/core/balance/line.ts')
  const { itemText } = await import('@stint/core/balance/item-text.ts')
  return { readLine, itemText }
}

test.each(LINES)(
  'In %s, %s is read, and read again as it is shown',
  async (language, line, name, value) => {
    const { readLine, itemText } = await buildIn(language)
    const item = itemOf(name, value)
    expect(readLine(line, TODAY)).toEqual({ kind: 'item', item })
    const shown = item && itemText(item)
    expect([shown, readLine(shown ?? '', TODAY)]).toEqual([shown, { kind: 'item', item }])
  },
)

/** One of each kind, in every form that a line has. */
const STORED: readonly (readonly [string, unknown])[] = [
  ['contract:2026-03-01', 'odd 144000/week 12345, even 28800/day 1236; -43251'],
  ['contract:2026-03-02', '144000/month 1234560'],
  ['contract:2026-03-03', '1440000/year 24'],
  ['dayoff:2026-08-03:vacation', '2026-09-14'],
  ['dayoff:2026-08-03:sick', '2026-08-03 half'],
  ['dayoff:2026-08-03:other', '2026-08-03 am'],
  ['dayoff:2026-08-03:vacation:pm', '2026-08-03 pm'],
  ['dayoff:2026-08-04:vacation', '2026-08-31 5412'],
  ['dayoff:2026-08-01:vacation', '2026-08-31'],
  ['holiday:2026-12-24', 'half Noël'],
  ['holiday:2026-12-25', 'whole '],
  ['correction:2026-05-31:', 3601],
  ['cap:week:2026-05-31', 0],
  ['cap:year:2026-05-31', 3601],
  ['allowance:2026', '27.5 12-31'],
  ['allowance:2025', '1'],
  ['period:2026-01-01', '1 16'],
  ['period:2026-01-02', '1w'],
  ['period:2026-01-03', '2w'],
  ['period:2026-01-04', '4w'],
  ['period:2026-01-20', '5 20'],
  ['contract:2026-03-04', '288000/period 12345'],
  ['cap:period:2026-05-31', 3600],
]

test.each(LANGUAGES)('In %s, every form of a line is read as it is shown', async (language) => {
  const { readLine, itemText } = await buildIn(language)
  for (const [name, value] of STORED) {
    const item = itemOf(name, value)
    const shown = item && itemText(item)
    expect([shown, readLine(shown ?? '', TODAY)]).toEqual([shown, { kind: 'item', item }])
  }
})

test.each(LANGUAGES)('In %s, English lines are read too', async (language) => {
  const { readLine } = await buildIn(language)
  for (const line of ['38.5h Mon–Fri since 1 March', 'vacation 3–14 Aug', 'sick today pm']) {
    expect(readLine(line, TODAY).kind).toBe('item')
  }
})
