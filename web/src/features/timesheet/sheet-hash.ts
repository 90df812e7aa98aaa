import { sheetText } from '@stint/core/timesheet/sealed-sheets.ts'
import type { Timesheet } from '@stint/core/timesheet/timesheet.ts'

/**
 * Returns the SHA-256 of the lines of a sheet, in hex. Throws where the browser offers none, which is on pages
 * without https.
 */
export async function sheetHash(sheet: Pick<Timesheet, 'lines'>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sheetText(sheet)))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
