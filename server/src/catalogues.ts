/** The translations in `locales/`, for texts that the server writes: those of its mails. */
import { readFileSync } from 'node:fs'
import { translator } from '@stint/core/text.ts'
import type { Language, t as translate } from '@stint/core/text.ts'

/** English texts with their translations. */
export type Catalogue = Readonly<Record<string, string>>

/** Returns the file of a language's catalogue. */
export function catalogueFile(language: Language): URL {
  return new URL(`../../locales/${language}.json`, import.meta.url)
}

/** Returns the catalogue of a language; that of English is empty, as its texts are in the code. */
export function catalogueOf(language: Language): Catalogue {
  if (language === 'en') return {}
  const catalogue: Catalogue = JSON.parse(readFileSync(catalogueFile(language), 'utf8'))
  return catalogue
}

/** Returns the `t` of a language. Its catalogue is read at the first call. */
export function textsIn(language: Language): typeof translate {
  const known = translators.get(language)
  if (known) return known
  const made = translator(language, catalogueOf(language))
  translators.set(language, made)
  return made
}

const translators = new Map<Language, typeof translate>()
