import { describe, expect, test } from 'vitest'

import { LANGUAGES } from '@stint/core/text.ts'

import { catalogueOf } from '../server/src/catalogues.ts'
import { compileModule, placeholdersOf } from './texts/compile.ts'
import { leftoversIn, sourceFiles, textsIn } from './texts/find.ts'
import { nextCatalogue } from './texts/next-catalogue.ts'

const TRANSLATED = LANGUAGES.filter((language) => language !== 'en')
const sources = await sourceFiles()
const messages = new Set(
  sources.flatMap(({ file, code }) => textsIn(file, code).map(({ message }) => message)),
)

describe('catalogues', () => {
  test.each(TRANSLATED)('%s has every text of the code, and no other', (language) => {
    const catalogue = catalogueOf(language)
    const wrong = [
      ...Object.keys(catalogue).filter((each) => !messages.has(each)),
      ...[...messages].filter((each) => !catalogue[each]?.trim()),
    ]
    expect(wrong, `run npm run texts, then fill in locales/${language}.json`).toEqual([])
  })

  test.each(TRANSLATED)('%s has the placeholders of each text', (language) => {
    const differing = Object.entries(catalogueOf(language)).filter(
      ([message, text]) => String(placeholdersOf(message)) !== String(placeholdersOf(text)),
    )
    expect(differing).toEqual([])
  })

  test('Every text that a screen shows can be translated', () => {
    const leftovers = sources.flatMap(({ file, code }) =>
      leftoversIn(file, code).map(({ text, line }) => `${file}:${line}: ${text}`),
    )
    expect(sources.length).toBeGreaterThan(200)
    expect(
      leftovers,
      "put each into t('…'), or mark its line with '// not translated: <why>'",
    ).toEqual([])
  })
})

describe('npm run texts', () => {
  const CATALOGUE = { Stop: 'Stopp', Start: 'Beginn', Pause: 'Pause', Gone: 'Weg' }
  const next = (...code: string[]) =>
    Object.entries(nextCatalogue(CATALOGUE, new Set(code))).map((entry) => entry.join(': '))

  test('A catalogue of all texts stays as it is, in whichever order the code has them', () => {
    expect(next('Gone', 'Pause', 'Start', 'Stop')).toEqual([
      'Stop: Stopp',
      'Start: Beginn',
      'Pause: Pause',
      'Gone: Weg',
    ])
  })

  test('A new text follows the one before it in the code, and one that is gone is removed', () => {
    expect(next('First', 'Start', 'New', 'Newer', 'Pause', 'Stop', 'Last')).toEqual([
      'First: ',
      'Stop: Stopp',
      'Last: ',
      'Start: Beginn',
      'New: ',
      'Newer: ',
      'Pause: Pause',
    ])
  })
})

describe('the search for literals', () => {
  test.each([
    ['text between tags', 'const a = <p>Add a task</p>'],
    ['a label', 'const a = <Field label="Name" />'],
    ['a label in an object', "const a = { label: 'Name' }"],
    ['a sentence in a variable', "const a = 'The end is in the future.'"],
    ['a sentence with a value', 'const a = `Stopped after ${time}`'],
    ['a text beside a translated one', "const a = <p title={t('Name')}>Add a task</p>"],
  ])('finds %s', (_what, code) => {
    expect(leftoversIn('a.tsx', code)).toHaveLength(1)
  })

  test.each([
    ['a translated text', "const a = <p>{t('Add a task')}</p>"],
    ['an error for programmers', "throw new RangeError('An entry has an end')"],
    ['an import', "import a from 'Some File'"],
    ['a type', "type A = 'Stopped here' | 'Not here'"],
    ['a key', "const a = { 'Content Type': 1 }"],
    ['what is marked', "// not translated: a file's heading\nconst a = 'Start Date'"],
  ])('leaves %s alone', (_what, code) => {
    expect(leftoversIn('a.tsx', code)).toEqual([])
  })
})

describe('the compiler', () => {
  const GERMAN = {
    'Stopped {task}': '{task} gestoppt',
    '{count, plural, one {# session} other {# sessions}}':
      '{count, plural, one {# Sitzung} other {# Sitzungen}}',
    'field|Start': 'Beginn',
  }

  test.each([
    ["a = t('field|Start')", 'a = `Beginn`'],
    ["a = t('verb|Start')", 'a = `Start`'],
    ["a = t('Not in the catalogue')", 'a = `Not in the catalogue`'],
    ["a = t('Stopped {task}', { task: name })", 'a = `${(name)} gestoppt`'],
    ["a = t('Stopped {task}', { task })", 'a = `${(task)} gestoppt`'],
    [
      "a = t('Stopped {task}', { task: name ?? t('Not in the catalogue') }) + t('field|Start')",
      'a = `${(name ?? `Not in the catalogue`)} gestoppt` + `Beginn`',
    ],
    ["a = t('Costs `5` $')", 'a = `Costs \\`5\\` $`'],
  ])('replaces %s', (code, compiled) => {
    expect(compileModule('a.ts', code, 'de', GERMAN)).toBe(compiled)
  })

  test('A plural follows the rules of the language', () => {
    const code = "a = t('{count, plural, one {# session} other {# sessions}}', { count: n })"
    expect(compileModule('a.ts', code, 'de', GERMAN)).toContain(
      'a = ((n)===1?`${$grouped((n))} Sitzung`:`${$grouped((n))} Sitzungen`)',
    )
    // In French, zero takes the form of one.
    expect(compileModule('a.ts', code, 'fr', {})).toContain('a = ($pluralOf((n))==="one"?')
  })

  test.each([
    ['a message that is not a literal', 'a = t(name)', 'not a literal'],
    ['a placeholder without a value', "a = t('Stopped {task}', {})", 'No value for {task}'],
    ['values that are not written out', "a = t('Stopped {task}', values)", 'No value for {task}'],
    ['a faulty message', "a = t('{count, plural, one {# session}', { count })", ''],
  ])('refuses %s', (_what, code, message) => {
    expect(() => compileModule('a.ts', code, 'en', {})).toThrow(message)
  })
})
