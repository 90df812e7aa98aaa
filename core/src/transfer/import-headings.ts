/** The headings of columns in English, German, French and Spanish. */
import { folded } from '#folded.ts'
import type { DurationUnit } from './import-durations.ts'

/** What a column may have. */
export type ColumnName =
  | 'project'
  | 'task'
  | 'details'
  | 'note'
  | 'tags'
  | 'client'
  | 'category'
  | 'date'
  | 'start'
  | 'endDate'
  | 'end'
  | 'duration'
  | 'zone'
  | 'kind'
  | 'person'

/** The index of the column for each field; null if there is none. */
export interface ColumnMapping extends Readonly<
  Record<Exclude<ColumnName, 'person'>, number | null>
> {
  /** False if the first row is an entry. */
  readonly hasHeadings: boolean
  /** The columns that name the person. */
  readonly person: readonly number[]
  /** The breaks between start and end, in one column or in two. */
  readonly pause: number | null
  readonly secondPause: number | null
  /** When a break begins and ends; between two pairs of times it is the time between them. */
  readonly pauseStart: number | null
  readonly pauseEnd: number | null
  /** The unit of a number without one in the duration column; null: found from the numbers. */
  readonly durationUnit: DurationUnit | null
}

/** Returns a heading in the form by which formats look columns up. */
export function plainHeading(heading: string): string {
  return heading.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Returns a heading as words without case and accents: 'startDate' and 'Start_date' are 'start date'. */
export function headingWords(heading: string): string {
  return folded(heading.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The headings of a start and of an end, in any file. */
const START =
  'start|start time|started|started at|start at|from|begin|begin time|begins|in|clock in|time in|punch in|time started|start datetime|start date time|start timestamp|beginn|anfang|startzeit|startuhrzeit|von|kommen|gekommen|debut|heure de debut|heure debut|arrivee|de|inicio|hora de inicio|hora inicio|comienzo|desde|entrada|hora de entrada'
const END =
  'end|end time|ended|ended at|end at|stop|stop time|stopped|stopped at|to|until|out|clock out|time out|punch out|time ended|finish|finished|finish time|end datetime|end date time|end timestamp|ende|endzeit|enduhrzeit|schluss|bis|gehen|gegangen|fin|heure de fin|heure fin|depart|a|hora de fin|hora fin|hasta|salida|hora de salida'

/** By field, the likeliest first. */
export const HEADINGS: Readonly<Record<Exclude<ColumnName, 'details'>, readonly string[]>> = {
  date: words(
    'date|start date|day|work date|entry date|log date|spent date|datum|startdatum|arbeitstag|jour|date de debut|date debut|fecha|fecha de inicio|fecha inicio|dia|tag',
  ),
  start: words(
    `${START}|time|times|hours|zeit|zeiten|arbeitszeit|uhrzeit|heure|heures|hora|horas|horario`,
  ),
  endDate: words(
    'end date|stop date|finish date|enddatum|date de fin|date fin|fecha de fin|fecha fin',
  ),
  end: words(END),
  duration: words(
    'duration|hours|minutes|seconds|time spent|time worked|hours worked|worked hours|worked|total hours|hours total|dauer|stunden|std|minuten|sekunden|arbeitszeit|arbeitsstunden|duree|heures|secondes|temps passe|temps|duracion|horas|horas trabajadas|minutos|segundos|tiempo|elapsed|total time|time|zeit|total|gesamt',
  ),
  zone: words('timezone|time zone|tz|zone|zeitzone|fuseau horaire|fuseau|zona horaria|utc offset'),
  project: words(
    'project|project name|projects|projekt|projektname|projet|nom du projet|proyecto|nombre del proyecto',
  ),
  task: words(
    'task|task name|tasks|activity|activity name|issue key|issue|ticket|job|title|aufgabe|tatigkeit|aktivitat|vorgang|leistung|titel|tache|activite|titre|tarea|actividad|titulo|name',
  ),
  note: words(
    'note|notes|description|comment|comments|work description|remark|remarks|details|memo|notiz|notizen|beschreibung|bemerkung|bemerkungen|kommentar|anmerkung|anmerkungen|commentaire|commentaires|remarque|remarques|descripcion|nota|notas|comentario|comentarios|observaciones',
  ),
  client: words(
    'client|client name|customer|customer name|kunde|kundenname|auftraggeber|nom du client|cliente|nombre del cliente',
  ),
  category: words(
    'category|categories|kategorie|kategorien|rubrik|categorie|rubrique|categoria|categorias',
  ),
  kind: words('type|entry type|absence type|typ|art|tipo'),
  tags: words(
    'tags|tag|labels|label|record tags|keywords|schlagworter|schlagworte|schlagwort|stichworte|stichworter|etiquettes|etiquette|mots cles|etiquetas|etiqueta',
  ),
  person: words(
    'email|user|member|person|employee|full name|user name|username|mitarbeiter|mitarbeiterin|benutzer|utilisateur|employe|usuario|empleado',
  ),
}

/**
 * Headings that have other meanings too: they count for a field only if the column has what the
 * field is.
 */
export const AMBIGUOUS: ReadonlySet<string> = new Set(
  words(
    'tag|day|dia|in|out|from|to|de|a|von|bis|desde|hasta|entrada|salida|time|zeit|uhrzeit|heure|hora|temps|tiempo|total|gesamt|elapsed|worked|std|fin|depart|arrivee|begin|stop|finish|finished|ended|started|tz|zone|kommen|gehen',
  ),
)

/** The fields by their headings. */
const FIELDS: ReadonlySet<string> = new Set(Object.values(HEADINGS).flat())

/** The words for units at the end of a heading of durations: 'Time spent (seconds)'. */
const UNIT_WORDS =
  / (?:in )?(?:h|hrs?|hours|std|stunden|heures|horas|m|min|mins|minutes|minuten|minutos|s|sec|secs|seconds|sekunden|secondes|segundos|decimal|dezimal|hh mm|hh mm ss)$/

/** Returns a heading of a duration without its unit. */
export function withoutUnit(words: string): string {
  return words.replace(UNIT_WORDS, '')
}

/** Returns how many cells of a row are headings of columns. */
export function countHeadings(row: readonly string[]): number {
  return row.filter((cell) => {
    const words = headingWords(cell)
    return FIELDS.has(words) || FIELDS.has(withoutUnit(words)) || isBreakHeading(cell)
  }).length
}

const OTHER_LANGUAGES =
  /\b(?:datum|von|bis|beginn|ende|dauer|stunden|aufgabe|projekt|kunde|beschreibung|jour|debut|duree|tache|projet|fecha|dia|inicio|desde|hasta|duracion|horas|tarea|proyecto|cliente)\b/

/** Returns whether the headings are English, whose dates may have the month first. */
export function areEnglish(headings: readonly string[]): boolean {
  return !headings.some((heading) => OTHER_LANGUAGES.test(headingWords(heading)))
}

/** The headings of breaks, in four languages, without accents: 'Lunch break (min)', 'Pause 2'. */
const BREAK =
  /^(?:(?:(?:unpaid|lunch|meal|total|temps de|duree de|duree des|tiempo de|duracion de la) )?(?:breaks?|pauses?|pausen|pausas?|descansos?)(?:zeit(?:en)?|dauer| (?:time|duration|dejeuner|repas|midi|de midi|para comer))?|lunch|meal|mittag(?:spause)?|dejeuner|almuerzo|comida)(?: \d)?(?: (?:in |en )?(?:h|hrs?|hours|std|stunden|heures|horas|min[a-z]*))?$/
const HOURS = /\b(?:h|hrs?|hours?|std|stunden|heures|horas|decimal|dezimal)\b/

/** Returns whether a column has breaks. */
export function isBreakHeading(heading: string): boolean {
  return BREAK.test(folded(heading.replace(/[([].*?[)\]]/g, ' ')).trim())
}

const BREAK_WORD =
  '(?:break|lunch|meal|pausen?|mittag(?:spause|spausen)?|dejeuner|repas|pausas?|descanso|almuerzo|comida)'
const OF = '(?: of| der| de| du| de la| del)?'
const BEGINS = '(?:start|begin|beginn|anfang|from|von|out|debut|inicio)'
const ENDS = '(?:end|stop|ende|to|bis|in|fin|final)'
const BREAK_START = new RegExp(
  `^(?:${BREAK_WORD} ?${BEGINS}(?: time)?|${BEGINS}${OF} ${BREAK_WORD})$`,
)
const BREAK_END = new RegExp(`^(?:${BREAK_WORD} ?${ENDS}(?: time)?|${ENDS}${OF} ${BREAK_WORD})$`)

/** Returns whether a column has when breaks begin, when they end, or neither. */
export function breakBound(heading: string): 'start' | 'end' | null {
  const text = headingWords(heading)
  if (BREAK_START.test(text)) return 'start'
  return BREAK_END.test(text) ? 'end' : null
}

/** Returns the unit that a heading names, null if it names none. */
export function unitOfHeading(heading: string): 'hours' | 'minutes' | 'seconds' | null {
  const text = headingWords(heading)
  if (/\b(?:seconds?|secs?|sekunden|sek|secondes|segundos|seg)\b/.test(text)) return 'seconds'
  if (/\b(?:min|mins|minutes?|minuten|minutos)\b/.test(text)) return 'minutes'
  return HOURS.test(text) ? 'hours' : null
}

function words(list: string): string[] {
  return list.split('|')
}
