/**
 * The words of the lines of an hours account in each language, as `folded` writes them: parts of
 * regular expressions. Lines are read in English and in the language of the build.
 */
import { LANGUAGE } from '#text.ts'
import { DAY_WORDS } from '#time/day-vocabulary.ts'
import type { Absence, CapSpan, PeriodWeeks, Span } from './items.ts'

export interface LineWords {
  readonly tomorrow: string
  readonly dayAfterTomorrow: string
  /** Of a weekday, a week or a month, '%', the one after. */
  readonly next: string
  /** Before the first day of a contract: one that has begun, and one that may be ahead. */
  readonly since: string
  readonly from: string
  /** Before the balance that a contract begins with. */
  readonly opening: string
  readonly odd: string
  readonly even: string
  readonly spans: Readonly<Record<Span, string>>
  /** Between two weekdays. */
  readonly to: string
  /** What may stand between the words of a contract. */
  readonly between: string
  readonly absences: Readonly<Record<Absence, string>>
  readonly half: string
  readonly am: string
  readonly pm: string
  readonly holiday: string
  readonly cap: string
  readonly capSpans: Readonly<Record<CapSpan, string>>
  /** After the number of days of an allowance. */
  readonly allowance: string
  readonly carried: string
  /** What a line of pay periods begins with, and the last day of each month. */
  readonly periods: string
  readonly monthEnd: string
  /** Of pay periods that have so many weeks. */
  readonly periodWeeks: Readonly<Record<PeriodWeeks, string>>
}

const EN: LineWords = {
  tomorrow: 'tomorrow',
  dayAfterTomorrow: '(?:the )?day after tomorrow',
  next: 'next %',
  since: 'since',
  from: 'from|as of|starting on',
  opening: 'starting (?:at|with)|opening balance',
  odd: 'odd(?:-numbered)?(?: calendar)? weeks?',
  even: 'even(?:-numbered)?(?: calendar)? weeks?',
  spans: {
    day: '(?:(?:a|per|each|every) )?day|daily',
    week: '(?:(?:a|per|each|every) )?week|weekly',
    month: '(?:(?:a|per|each|every) )?month|monthly',
    period: '(?:(?:a|per|each|every) )?pay period',
    year: '(?:(?:a|per|each|every) )?year|yearly|annually',
  },
  to: 'to|through|until',
  between: 'and|on|in|each|every|from|work|hours',
  absences: {
    vacation: 'vacation|holidays?|annual leave|leave|pto',
    sick: 'sick(?: leave| day)?|ill|illness',
    other: 'days? off|time off|off|absent|absence',
  },
  half: 'half(?: an?| the)? days?|half',
  am: 'am|a\\.m\\.|(?:in the )?morning',
  pm: 'pm|p\\.m\\.|(?:in the )?afternoon',
  holiday: '(?:public|bank) holiday',
  cap: 'at most|max(?:imum)?|no more than',
  capSpans: {
    week: 'at the end of (?:each|every|the|a) week',
    month: 'at the end of (?:each|every|the|a) month',
    period: 'at the end of (?:each|every|the|a) pay period',
    year: 'at the end of (?:each|every|the|a) year',
  },
  allowance:
    'days?(?: of)?(?: (?:vacation|holidays?|leave|annual leave))?(?: (?:a|per|each|every) year)?',
  carried: 'carried over until|carry-?over until|carry over until',
  periods: '(?:pay|payroll) periods?',
  monthEnd: '(?:the )?end(?: of (?:the|each) month)?|month-end',
  periodWeeks: {
    1: '(?:of|every|each) (?:(?:1|one|a) )?week|weekly|(?:1|one)-week',
    2: '(?:(?:of|every) )?(?:2|two)[ -]weeks?|every (?:other|second) week|bi-?weekly|(?:every )?fortnight(?:ly)?',
    4: '(?:(?:of|every) )?(?:4|four)[ -]weeks?|four-?weekly|4-weekly',
  },
}

const DE: LineWords = {
  tomorrow: 'morgen',
  dayAfterTomorrow: 'ubermorgen',
  next: '(?:nachste|kommende)[rnms]? %',
  since: 'seit(?: dem)?',
  from: 'ab(?: dem)?|vom|von',
  opening: 'beginnend mit|anfangsstand|startwert|mit(?: einem stand von)?',
  odd: '(?:in )?ungerade[rn]?(?: (?:wochen?|kw))?',
  even: '(?:in )?gerade[rn]?(?: (?:wochen?|kw))?',
  spans: {
    day: '(?:am|pro|je|jeden) tag|taglich',
    week: '(?:die|pro|je|in der|jede) woche|wochentlich',
    month: '(?:im|pro|je|jeden) monat|monatlich',
    period: '(?:pro|je|im) (?:abrechnungszeitraum|lohnperiode)',
    year: '(?:im|pro|je|jedes) jahr|jahrlich',
  },
  to: 'bis',
  between: 'und|am|im|in|je|jeweils|von',
  absences: {
    vacation: 'urlaub|ferien|urlaubstage?',
    sick: 'krank|krankheit|krankgeschrieben|krankenstand',
    other: 'frei|freigestellt|abwesend|sonderurlaub',
  },
  half: 'halbe[rn]? tage?|halbtags|halbe[rn]?',
  am: 'vormittags?|(?:am )?vormittag',
  pm: 'nachmittags?|(?:am )?nachmittag',
  holiday: 'feiertag',
  cap: 'hochstens|maximal|max\\.?',
  capSpans: {
    week: '(?:am|zum) (?:ende (?:der|jeder) woche|wochenende)',
    month: '(?:am|zum) (?:ende (?:des|jedes) monats|monatsende)',
    period: '(?:am|zum) ende (?:des|jedes|der|jeder) (?:abrechnungszeitraums|lohnperiode)',
    year: '(?:am|zum) (?:ende (?:des|jedes) jahres|jahresende)',
  },
  allowance: '(?:urlaubstage?|tage?(?: urlaub)?)(?: (?:im|pro|je) jahr)?',
  carried: '(?:resturlaub|ubertragbar|ubertrag) bis(?: zum)?',
  periods: 'abrechnungszeitr(?:aum|aume)|lohnperioden?',
  monthEnd: '(?:zum )?(?:monatsende|ende)|ultimo',
  periodWeeks: {
    1: '(?:von |je )?(?:1|einer?) woche|jede woche|(?:ein)?wochige?|wochentliche?',
    2: '(?:von |je |alle )?(?:2|zwei) wochen|(?:2-?|zwei)(?:wochige?|wochentliche?)|alle 14 tage|(?:14-?|vierzehn)tagige?',
    4: '(?:von |je |alle )?(?:4|vier) wochen|(?:4-?|vier)(?:wochige?|wochentliche?)',
  },
}

const FR: LineWords = {
  tomorrow: 'demain',
  dayAfterTomorrow: 'apres[- ]demain',
  next: "(?:l[ea] |l')?% prochaine?",
  since: 'depuis(?: le)?',
  from: 'a partir (?:du|de)|des le|du',
  opening: 'en partant de|solde initial(?: de)?|avec',
  odd: 'semaines? impaires?',
  even: 'semaines? paires?',
  spans: {
    day: 'par jour|quotidien(?:nes)?',
    week: 'par semaine|hebdomadaires?',
    month: 'par mois|mensuel(?:le)?s?',
    period: 'par periode de paie',
    year: 'par an|annuel(?:le)?s?',
  },
  to: 'au?',
  between: 'et|le|les|du|de|en|chaque',
  absences: {
    vacation: 'vacances|conges?(?: payes?)?|cp',
    sick: 'malade|maladie|arret(?: maladie)?',
    other: 'absence|absente?|repos|libre',
  },
  half: 'demi-?journees?|demi',
  am: '(?:le )?matin',
  pm: "(?:l')?apres-midi",
  holiday: 'jour ferie|ferie',
  cap: 'au plus|au maximum|max(?:imum)?',
  capSpans: {
    week: 'a la fin de (?:la|chaque) semaine',
    month: '(?:a la )?fin (?:du|de chaque) mois',
    period: '(?:a la )?fin de (?:la|chaque) periode de paie',
    year: "(?:a la )?fin (?:de l'annee|de chaque annee|d'annee)",
  },
  allowance: 'jours?(?: de (?:conges?|vacances))?(?: par an)?',
  carried: "reportables? jusqu'(?:au|a)|report jusqu'(?:au|a)",
  periods: 'periodes? de paie',
  monthEnd: '(?:la )?fin(?: (?:du|de) mois)?',
  periodWeeks: {
    1: "(?:d'une|de 1) semaine|toutes les semaines|chaque semaine|hebdomadaires?",
    2: '(?:de |toutes les )?(?:2|deux) semaines|de (?:14|quatorze) jours',
    4: '(?:de |toutes les )?(?:4|quatre) semaines',
  },
}

const ES: LineWords = {
  tomorrow: 'manana',
  dayAfterTomorrow: 'pasado manana',
  next: '(?:el |la )?(?:% que viene|% proxim[oa]|proxim[oa] %)',
  since: 'desde(?: el)?',
  from: 'a partir (?:del?|de)|del?',
  opening: 'empezando (?:en|con)|saldo inicial(?: de)?|con',
  odd: 'semanas? impares?',
  even: 'semanas? pares?',
  spans: {
    day: '(?:al|por) dia|diari[oa]s?',
    week: '(?:a la|por) semana|semanal(?:es)?',
    month: '(?:al|por) mes|mensual(?:es)?',
    period: '(?:al|por) periodo de (?:pago|nomina)',
    year: '(?:al|por) ano|anual(?:es)?',
  },
  to: 'al?',
  between: 'y|el|los|de|en|cada',
  absences: {
    vacation: 'vacaciones',
    sick: 'enferm[oa]|enfermedad|baja(?: medica)?',
    other: 'libre|ausente|ausencia|permiso',
  },
  half: 'medio dia|medios dias|media jornada|medi[oa]',
  am: 'por la manana',
  pm: 'por la tarde|tarde',
  holiday: '(?:dia )?festivo',
  cap: 'como maximo|maximo',
  capSpans: {
    week: 'al (?:final|fin) de (?:la|cada) semana',
    month: 'al (?:final|fin) (?:del|de cada) mes',
    period: 'al (?:final|fin) (?:del|de cada) periodo de (?:pago|nomina)',
    year: 'al (?:final|fin) (?:del|de cada) ano',
  },
  allowance: 'dias?(?: de vacaciones)?(?: (?:al|por) ano)?',
  carried: 'trasladables? hasta(?: el)?|traslado hasta(?: el)?',
  periods: 'periodos? de (?:pago|nomina)',
  monthEnd: '(?:fin|final)(?: de mes)?',
  periodWeeks: {
    1: '(?:de )?(?:1|una) semana|cada semana|todas las semanas|semanal(?:es)?',
    2: '(?:de |cada )?(?:2|dos) semanas|catorcenal(?:es)?|de (?:14|catorce) dias',
    4: '(?:de |cada )?(?:4|cuatro) semanas',
  },
}

/** English, and the language of the build, which then has no others. */
export const LINE_WORDS: readonly LineWords[] =
  LANGUAGE === 'de' ? [EN, DE] : LANGUAGE === 'fr' ? [EN, FR] : LANGUAGE === 'es' ? [EN, ES] : [EN]

/** Returns a pattern of what these words are in any of the languages, the longer ones first. */
export function said(wordsOf: (words: LineWords) => string): string {
  return `(?:${LINE_WORDS.toReversed().map(wordsOf).join('|')})`
}

/** The names of each weekday from Sunday, in full and short, as a pattern. */
export const WEEKDAY_NAMES: readonly string[] = [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
  const own = LANGUAGE === 'en' ? [DAY_WORDS.en] : [DAY_WORDS.en, DAY_WORDS[LANGUAGE]]
  const names = own.flatMap(({ weekdays, shortWeekdays }) =>
    [weekdays, shortWeekdays].map((list) => list.split(' ')[weekday] ?? ''),
  )
  return names
    .flatMap((each) => each.split('|'))
    .toSorted((a, b) => b.length - a.length)
    .join('|')
})
