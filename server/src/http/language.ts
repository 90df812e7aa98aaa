/** What a request accepts, and the language that it asks for. */
import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

/** Longer headers are cut: no browser sends so many languages. */
const MAX_LENGTH = 1000

/** Returns what an Accept-Language or Accept-Encoding names, the preferred first, without what it refuses. Never throws. */
export function accepted(header: string | undefined): string[] {
  const wanted = (header ?? '')
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
      const [, quality = '1'] = /^q=([\d.]+)$/i.exec(parameters[0] ?? '') ?? []
      return { name, quality: Number(quality) }
    })
  return wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ name }) => name)
}

/** Returns the language with this name, or null for anything else. */
export function languageNamed(name: unknown): Language | null {
  return LANGUAGES.find((language) => language === name) ?? null
}
