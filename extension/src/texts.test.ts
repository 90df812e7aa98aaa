import { glob, readFile } from 'node:fs/promises'

import { LANGUAGES } from '@stint/core/text.ts'
import { describe, expect, test } from 'vitest'

interface Message {
  readonly message: string
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>
}

async function messagesOf(language: string): Promise<Readonly<Record<string, Message>>> {
  const file = new URL(`static/_locales/${language}/messages.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8'))
}

const english = await messagesOf('en')
const files = await Array.fromAsync(
  glob(['*.ts', 'static/*.{html,json}'], { cwd: import.meta.dirname }),
)
const sources = await Promise.all(
  files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFile(new URL(file, import.meta.url), 'utf8')),
)
const NAMED = /text\('(\w+)'|isRunning \? '(\w+)' : '(\w+)'|data-text="(\w+)"|__MSG_(\w+)__/g
const used = new Set(
  sources.flatMap((code) =>
    [...code.matchAll(NAMED)].flatMap(([, ...names]) => names.filter((name) => name !== undefined)),
  ),
)

test('every text of the code is there, and each is used', () => {
  expect(used.size).toBeGreaterThan(30)
  expect([...used].toSorted()).toEqual(Object.keys(english).toSorted())
})

describe.each(LANGUAGES)('%s', (language) => {
  test('has every text, with the placeholders of the English one', async () => {
    const messages = await messagesOf(language)
    expect(Object.keys(messages)).toEqual(Object.keys(english))
    for (const [name, { message, placeholders }] of Object.entries(messages)) {
      expect(message.trim()).not.toBe('')
      expect(placeholders).toEqual(english[name]?.placeholders)
      const written = [...message.matchAll(/\$(\w+)\$/g)].map(([, placeholder = '']) => placeholder)
      expect(written.toSorted()).toEqual(Object.keys(placeholders ?? {}).toSorted())
    }
  })
})
