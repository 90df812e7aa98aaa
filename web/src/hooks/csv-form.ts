/** The form of exported CSV files, as this device's spreadsheet reads them. */
import { LANGUAGE } from '@stint/core/text.ts'
import { csvFormOf, isCsvForm } from '@stint/core/transfer/csv-form.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'

/** It tells nothing of a person, so that signing out leaves it. */
const KEY = 'stint-csv-form'

/** Returns the form that was chosen on this device; without a choice, that of the language. */
export function csvForm(): CsvForm {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (isCsvForm(kept)) return kept
  } catch {
    // What cannot be read is as if nothing were chosen.
  }
  return csvFormOf(LANGUAGE)
}

/** Keeps the choice. */
export function keepCsvForm(form: CsvForm): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(form))
  } catch {
    // Without storage, the choice is for this page.
  }
}
