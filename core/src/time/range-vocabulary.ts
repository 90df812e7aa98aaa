/** The words for periods and ranges of days in each language, written as those for days are. */
import { LANGUAGE } from '#text.ts'
import type { Language } from '#text.ts'

/** Days apart. */
export const PERIOD_UNITS = ['week', 'month', 'quarter', 'year'] as const
export type PeriodUnit = (typeof PERIOD_UNITS)[number]

export interface RangeWords {
  readonly units: Readonly<Record<PeriodUnit, string>>
  /** Of the period that contains today, and of so many that end today. */
  readonly current: string
  readonly lastFew: string
  /** Before the number of a week or quarter. */
  readonly week: string
  readonly quarter: string
  readonly since: string
  readonly until: string
  readonly before: string
  readonly after: string
  /** Around a range. */
  readonly from: string
  readonly to: string
}

const EN: RangeWords = {
  current: 'this %',
  lastFew: '(?:the )?(?:last|past|previous) # %',
  week: 'w|week |wk ?|cw ?',
  quarter: 'q',
  since: 'since',
  until: 'until|till?|up to|through',
  before: 'before',
  after: 'after',
  from: 'from',
  to: 'to|until|till?|through',
  units: { week: 'weeks?', month: 'months?', quarter: 'quarters?', year: 'years?' },
}

const DE: RangeWords = {
  current: 'diese[rnms]? %',
  lastFew: '(?:(?:die|den|der) )?(?:letzten?|vergangenen?) # %',
  week: 'kw ?|woche |kalenderwoche ',
  quarter: 'q',
  since: '(?:seit|ab)(?: dem)?',
  until: 'bis(?: zum)?',
  before: 'vor(?: dem)?',
  after: 'nach(?: dem)?',
  from: 'von|vom',
  to: 'bis(?: zum)?',
  units: {
    week: 'wochen?',
    month: 'monate?[ns]?',
    quarter: 'quartale?[ns]?',
    year: 'jahre?[ns]?',
  },
}

const FR: RangeWords = {
  current: 'ce(?:t|tte)? %(?:-ci)?',
  lastFew: '(?:[lc]es )?# derni(?:er|ere)s %',
  week: 's|sem\\.? ?|semaine ',
  quarter: '[tq]',
  since: 'depuis(?: le)?',
  until: "jusqu'(?:au|a|en)",
  before: 'avant(?: le)?',
  after: 'apres(?: le)?',
  from: 'du|de',
  to: "au?|jusqu'(?:au|a|en)",
  units: { week: 'semaines?', month: 'mois', quarter: 'trimestres?', year: 'ans?|annees?' },
}

const ES: RangeWords = {
  current: 'est[ea] %',
  lastFew: '(?:l[oa]s )?(?:ultim|pasad)[oa]s # %',
  week: 's|sem\\.? ?|semana ',
  quarter: '[tq]',
  since: 'desde(?: el| la)?',
  until: 'hasta(?: el| la)?',
  before: 'antes del?(?: la)?',
  after: 'despues del?(?: la)?',
  from: 'del?|desde(?: el| la)?',
  to: 'al?|hasta(?: el| la)?',
  units: { week: 'semanas?', month: 'mes(?:es)?', quarter: 'trimestres?', year: 'anos?' },
}

export const RANGE_WORDS: Readonly<Record<Language, RangeWords>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
}

/** Of English and of the language of the build, which then has no others. */
export const OWN_RANGE_WORDS: readonly RangeWords[] =
  LANGUAGE === 'de' ? [EN, DE] : LANGUAGE === 'fr' ? [EN, FR] : LANGUAGE === 'es' ? [EN, ES] : [EN]
