/** Recognises rows that are no work: breaks, holidays and sick days, in four languages. */
import { t } from '#text.ts'
import { headingWords } from './import-headings.ts'

const BREAKS = words(
  'break|breaks|lunch|lunch break|coffee break|pause|pausen|mittag|mittagspause|kaffeepause|pause dejeuner|pause de midi|dejeuner|pausa|descanso|almuerzo|afk|idle',
)
const HOLIDAYS = words(
  'holiday|holidays|public holiday|bank holiday|vacation|vacations|annual leave|pto|paid time off|time off|leave|day off|absence|urlaub|urlaubstag|ferien|feiertag|abwesenheit|conge|conges|conges payes|vacances|jour ferie|rtt|absent|vacaciones|festivo|dia festivo|dia libre|permiso|ausencia',
)
const SICKNESS = words(
  'sick|sickness|sick day|sick days|sick leave|illness|krank|krankheit|krankheitstag|krankenstand|maladie|arret maladie|conge maladie|enfermedad|baja|baja medica|baja por enfermedad',
)

/**
 * Returns why a row is no work, as a sentence, or null. `names` are its type, its task and its
 * project, which must be nothing but such a word.
 */
export function noWorkReason(names: readonly string[]): string | null {
  for (const name of names) {
    if (name === '' || name.length > MAX_LENGTH) continue
    let reason = known.get(name)
    if (reason === undefined) {
      reason = reasonOf(headingWords(name))
      if (known.size >= MAX_NAMES) known.clear()
      known.set(name, reason)
    }
    if (reason !== null) return reason
  }
  return null
}

/** Most rows of a file have the names of others. */
const known = new Map<string, string | null>()
const MAX_NAMES = 10_000

function reasonOf(text: string): string | null {
  if (BREAKS.has(text)) return t('A break, not imported.')
  if (HOLIDAYS.has(text)) return t('A day off, not imported.')
  if (SICKNESS.has(text)) return t('A sick day, not imported.')
  if (text === 'all day') return t('A whole day without times, not imported.')
  return text === 'cancelled' ? t('Cancelled, not imported.') : null
}

const MAX_LENGTH = 30

function words(list: string): ReadonlySet<string> {
  return new Set(list.split('|'))
}
