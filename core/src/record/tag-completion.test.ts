import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { completeCategory, completeFilter, completeTag, recentTags } from './tag-completion.ts'
import { tagsOf } from './tags.ts'

test('Tags that were used last come first, as they were written last', () => {
  const notes = ['#acme #old', null, 'no tag', '#b', '#ACME #c']
  expect(recentTags(notes.map((note) => ({ note })))).toEqual(['ACME', 'c', 'b', 'old'])
})

test('The recent tags are those of all notes', () => {
  const word = fc.constantFrom('call', '#acme', '(#a,#b)', 'C#', '##', '#42', 'a#b', '#a\n#c')
  fc.assert(
    fc.property(fc.array(fc.array(word).map((words) => words.join(' '))), (notes) => {
      const last = new Set(notes.toReversed().flatMap(tagsOf))
      expect(recentTags(notes.map((note) => ({ note })))).toEqual([...last])
    }),
  )
})

const TAGS = ['acme', 'Acme-two', 'café', 'build', '42b']

test.for<[string, { start: number; words: string[] } | null]>([
  ['', null],
  ['call', null],
  ['#', { start: 0, words: ['#acme', '#Acme-two', '#café', '#build', '#42b'] }],
  ['#a', { start: 0, words: ['#acme', '#Acme-two'] }],
  ['call #AC', { start: 5, words: ['#acme', '#Acme-two'] }],
  ['call (#b', { start: 6, words: ['#build'] }],
  ['#cafe', { start: 0, words: ['#café'] }],
  ['#4', { start: 0, words: ['#42b'] }],
  ['#new', { start: 0, words: [] }],
  // The word is a tag already, so that Enter keeps its meaning.
  ['#acme', null],
  ['#ACME', null],
  // The cursor, '|', is in front of the rest of a word, or behind a word.
  ['#a|c', null],
  ['#a| call', { start: 0, words: ['#acme', '#Acme-two'] }],
  ['#a |', null],
  ['C#', null],
  ['##', null],
  // Tags of the note are left out.
  ['#acme #a', { start: 6, words: ['#Acme-two'] }],
])('%j may become %j', ([typed, completion]) => {
  const cursor = typed.includes('|') ? typed.indexOf('|') : typed.length
  expect(completeTag(TAGS, typed.replace('|', ''), cursor)).toEqual(completion)
})

const CATEGORIES = ['Acme', 'Big Corp', 'Café & Bar', 'Acme "East"']

test.for<[string, { start: number; words: string[] } | null]>([
  ['', null],
  ['call', null],
  ['@', { start: 0, words: ['@Acme', '@"Big Corp"', '@"Café & Bar"', '@"Acme East"'] }],
  ['fix @b', { start: 4, words: ['@"Big Corp"', '@"Café & Bar"'] }],
  ['-@CAFE', { start: 1, words: ['@"Café & Bar"'] }],
  ['@"acme', { start: 0, words: ['@Acme', '@"Acme East"'] }],
  ['fix @co|', { start: 4, words: ['@"Big Corp"'] }],
  ['@new', { start: 0, words: [] }],
  // The word is a category already, so that Enter keeps its meaning.
  ['@acme', null],
  ['@a|c', null],
  ['@a |', null],
  ['bob@b', null],
  ['@@', null],
  ['@"Big Corp"', null],
])('%j may become the categories %j', ([typed, completion]) => {
  const cursor = typed.includes('|') ? typed.indexOf('|') : typed.length
  expect(completeCategory(CATEGORIES, typed.replace('|', ''), cursor)).toEqual(completion)
})

test.for<[string, { start: number; words: string[] } | null]>([
  ['call', null],
  ['call @b', { start: 5, words: ['@"Big Corp"', '@"Café & Bar"'] }],
  ['-@b| >2h', { start: 1, words: ['@"Big Corp"', '@"Café & Bar"'] }],
  ['call #b', { start: 5, words: ['#build'] }],
  ['-#b', { start: 1, words: ['#build'] }],
  ['@acme -#a| >2h', { start: 7, words: ['#acme', '#Acme-two'] }],
  ['a-#b', null],
  ['--#b', null],
  // A part that is complete, so that Enter keeps its meaning.
  ['-#acme', null],
  ['@acme', null],
  // Tags that the filter has are left out.
  ['-#acme -#a', { start: 8, words: ['#Acme-two'] }],
])('%j of a filter may become %j', ([typed, completion]) => {
  const cursor = typed.includes('|') ? typed.indexOf('|') : typed.length
  const text = typed.replace('|', '')
  expect(completeFilter(CATEGORIES, () => TAGS, text, cursor)).toEqual(completion)
})
