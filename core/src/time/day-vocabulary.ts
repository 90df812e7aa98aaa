/**
 * The words for days in each language, as `folded` writes them: small letters without accents. They
 * are parts of regular expressions, but for names; '%' stands for the name of a unit or of a
 * weekday, '#' for a number.
 */
import type { Language } from '#text.ts'

export interface DayWords {
  readonly days: string
  readonly today: string
  readonly yesterday: string
  readonly dayBeforeYesterday: string
  readonly ago: string
  /** Of a weekday or a period, the one before. */
  readonly previous: string
  /** Names from Sunday, separated by spaces; several of one by bars. */
  readonly weekdays: string
  readonly shortWeekdays: string
  /** Names from January, likewise. Three letters of a name are enough. */
  readonly months: string
  /** Before a day. */
  readonly article: string
}

export const DAY_WORDS: Readonly<Record<Language, DayWords>> = {
  en: {
    days: 'days?',
    today: 'today',
    yesterday: 'yesterday',
    dayBeforeYesterday: '(?:the )?day before yesterday',
    ago: '# % ago',
    previous: '(?:last|previous) %',
    weekdays: 'sunday monday tuesday wednesday thursday friday saturday',
    shortWeekdays: 'sun mon tue|tues wed|weds thu|thur|thurs fri sat',
    months: 'january february march april may june july august september october november december',
    article: 'on|the',
  },
  de: {
    days: 'tage?n?',
    today: 'heute',
    yesterday: 'gestern',
    dayBeforeYesterday: 'vorgestern',
    ago: 'vor # %',
    previous: '(?:letzte|vorige|vergangene)[rnms]? %',
    weekdays: 'sonntag montag dienstag mittwoch donnerstag freitag samstag|sonnabend',
    shortWeekdays: 'so mo di mi do fr sa',
    months:
      'januar|janner februar|feber marz|maerz|mrz april mai juni juli august september oktober november dezember',
    article: 'am|de[nmr]',
  },
  fr: {
    days: 'jours?',
    today: "aujourd'hui",
    yesterday: 'hier',
    dayBeforeYesterday: 'avant[- ]hier',
    ago: 'il y a # %',
    previous: "(?:l[ea] |l')?% (?:derni(?:er|ere)|passee?)",
    weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi',
    shortWeekdays: 'dim lun mar mer jeu ven sam',
    months: 'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
    article: 'le',
  },
  es: {
    days: 'dias?',
    today: 'hoy',
    yesterday: 'ayer',
    dayBeforeYesterday: 'anteayer|antier|antes de ayer',
    ago: 'hace # %',
    previous: '(?:el |la )?(?:% pasad[oa]|(?:ultim|pasad)[oa] %)',
    weekdays: 'domingo lunes martes miercoles jueves viernes sabado',
    shortWeekdays: 'dom lun mar mie jue vie sab',
    months:
      'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
    article: 'el',
  },
}
