import { expect, test } from 'vitest'

import { linkedParameters, sharedLine, withoutLine } from './shared-line.ts'

const LONG = 'a'.repeat(300)

test.each<[what: string, query: Record<string, string>, line: string | null, isCut?: boolean]>([
  ['nothing', {}, null],
  ['only space', { text: ' \n ' }, null],
  ['a line', { line: 'call Ann #acme 10m ago' }, 'call Ann #acme 10m ago'],
  ['a text of several lines', { text: 'Fix\r\n\tthe login\u0000' }, 'Fix the login'],
  [
    'a page',
    { title: 'Weekly plan', url: 'https://a.example/x' },
    'Weekly plan https://a.example/x',
  ],
  [
    'a page whose text is its address',
    { title: 'Plan', text: 'https://a.example/', url: 'https://a.example/' },
    'Plan https://a.example/',
  ],
  [
    'a text that begins with its title',
    { title: 'Plan', text: 'Plan of the week' },
    'Plan of the week',
  ],
  ['255 characters', { text: LONG.slice(0, 255) }, LONG.slice(0, 255)],
  ['256 characters', { text: LONG.slice(0, 256) }, LONG.slice(0, 255), true],
  ['a megabyte', { text: 'é'.repeat(1_000_000) }, 'é'.repeat(255), true],
  ['an emoji at the cut', { text: `${LONG.slice(0, 254)}🦊` }, LONG.slice(0, 254), true],
])('What is shared is one line: %s', (_, query, line, isCut = false) => {
  expect(sharedLine(new URLSearchParams(query))).toEqual(line === null ? null : { line, isCut })
})

test('What was shared is taken out of the address, and nothing else', () => {
  const query = new URLSearchParams('title=a&text=b&url=c&line=d&start=last')
  expect(withoutLine(query).toString()).toBe('start=last')
})

test.each([
  ['web+stint:?start=last', 'start=last'],
  ['web+stint:?line=call%20Ann', 'line=call+Ann'],
  ['web+stint://dashboard?stop', 'stop='],
  ['web+stint:?state=secret&language=de', ''],
  ['https://elsewhere.example/?stop', ''],
  ['nonsense', ''],
])('A link asks for what the address may ask for: %s', (link, query) => {
  expect(linkedParameters(new URLSearchParams({ link }))?.toString()).toBe(query)
})

test('An address without a link stays', () => {
  expect(linkedParameters(new URLSearchParams('start=last'))).toBeNull()
})
