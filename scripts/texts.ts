/**
 * Brings the catalogues up to date with the code: `npm run texts`. Adds the texts that a language
 * lacks, empty, and removes those that nobody uses. `npm run texts -- leftovers [folder]` lists
 * literals that cannot be translated.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'

import { LANGUAGES } from '@stint/core/text.ts'

import { catalogueFile, catalogueOf } from '../server/src/catalogues.ts'
import { leftoversIn, sourceFiles, textsIn } from './texts/find.ts'
import { nextCatalogue } from './texts/next-catalogue.ts'

const [what, folder = ''] = process.argv.slice(2)
const sources = await sourceFiles()

if (what === 'leftovers') {
  for (const { file, code } of sources.filter((source) => source.file.startsWith(folder))) {
    for (const { text, line } of leftoversIn(file, code)) console.log(`${file}:${line}: ${text}`)
  }
} else {
  const messages = new Set(
    sources.flatMap(({ file, code }) => textsIn(file, code).map(({ message }) => message)),
  )
  for (const language of LANGUAGES) {
    if (language === 'en') continue
    const catalogue = existsSync(catalogueFile(language)) ? catalogueOf(language) : {}
    const next = nextCatalogue(catalogue, messages)
    await writeFile(catalogueFile(language), `${JSON.stringify(next, null, 2)}\n`)
    const missing = Object.values(next).filter((text) => text === '').length
    console.log(`${language}: ${messages.size} texts, ${missing} missing`)
  }
}
