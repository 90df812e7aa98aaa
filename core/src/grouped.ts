import { LANGUAGE } from '#text.ts'
import type { Language } from '#text.ts'

/**
 * Returns a count with its thousands grouped as the language does: '999', '12,345'. The first number
 * that Intl formats costs a page 10 ms; counts below a thousand do not pay this.
 */
export function grouped(count: number, language: Language = LANGUAGE): string {
  return count < 1000 ? String(count) : count.toLocaleString(language)
}
