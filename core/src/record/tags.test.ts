import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { processorTime } from '#test/processor-time.ts'
import { asTag, hasTag, MAX_TAGS, splitAtTags, tagsOf, withoutTag, withTag } from './tags.ts'

describe('tags of a note', () => {
  test.for<[string | null, string[]]>([
    [null, []],
    ['', []],
    ['#', []],
    ['no tag', []],
    ['#acme', ['acme']],
    ['call Ann #acme #Q3', ['acme', 'Q3']],
    ['#Acme and #ACME', ['Acme']],
    ['line one\n#two', ['two']],
    ['(#brackets), #comma,#next', ['brackets', 'comma', 'next']],
    ['C# and a#b are words', []],
    ['part #42', []],
    ['#2026-plan', ['2026-plan']],
    ['#Größe #日本', ['Größe', '日本']],
    ['#a.b', ['a']],
    ['##twice', []],
  ])('%j has %j', ([note, tags]) => {
    expect(tagsOf(note)).toEqual(tags)
  })

  test('The first tags of a note count, and more are words', () => {
    const words = Array.from({ length: MAX_TAGS + 1 }, (_, index) => `#a${index}`)
    const note = words.join(' ')
    expect(tagsOf(note)).toHaveLength(MAX_TAGS)
    expect(hasTag(note, `a${MAX_TAGS}`)).toBe(false)
    expect(splitAtTags(note).at(-1)).toBe(` #a${MAX_TAGS}`)
  })

  test('A tag is added once, whatever its case', () => {
    expect(withTag(null, 'acme')).toBe('#acme')
    expect(withTag('call', 'acme')).toBe('call #acme')
    expect(withTag('call #Acme', 'acme')).toBe('call #Acme')
  })

  test.for<[string | null, string, string | null]>([
    [null, 'acme', null],
    ['#acme', 'acme', null],
    ['call #acme Ann', 'ACME', 'call Ann'],
    ['#acme call', 'acme', 'call'],
    ['#acme-two #acme', 'acme', '#acme-two'],
    ['#acme and #acme', 'acme', 'and'],
  ])('%j without %j is %j', ([note, tag, rest]) => {
    expect(withoutTag(note, tag)).toBe(rest)
  })

  test('Adding a tag to a note that does not have it and removing it gives the words back', () => {
    const word = fc.constantFrom('call', 'Ann', '#acme', '#b', 'C#', '#42')
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.constantFrom('x', 'new-one'),
        (words, tag) => {
          const note = words.join(' ')
          const tagged = withTag(note, tag)
          expect(hasTag(tagged, tag)).toBe(true)
          expect(withoutTag(tagged, tag)).toBe(note)
        },
      ),
    )
  })

  test.for<[string, string | null]>([
    ['Acme', 'Acme'],
    ['Acme & Sons', 'Acme-Sons'],
    ['  billable! ', 'billable'],
    ['#already', 'already'],
    ['❤️ Health', 'Health'],
    ['1️⃣ first', '1-first'],
    ['Cafe\u0301', 'Cafe\u0301'],
    ['42', null],
    ['', null],
  ])('The name %j of another product becomes %j', ([name, tag]) => {
    expect(asTag(name)).toBe(tag)
  })

  test('A name with a long run of dashes becomes a tag in a short time', () => {
    const dashes = '-'.repeat(100_000)
    const milliseconds = processorTime(250, () =>
      expect(asTag(`a${dashes}b${dashes}`)).toBe(`a${dashes}b`),
    )
    expect(milliseconds).toBeLessThanOrEqual(250)
  })

  test('Every name that becomes a tag is one whole tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const tag = asTag(`a${name}`)
        expect(tagsOf(`#${tag}`)).toEqual([tag])
        const other = asTag(name)
        expect(tagsOf(withTag(null, other ?? 'none'))).toEqual([other ?? 'none'])
      }),
    )
  })

  test('A note is divided at its tags, and no character is lost', () => {
    expect(splitAtTags('call #acme, #Q3')).toEqual(['call ', '#acme', ', ', '#Q3', ''])
    const word = fc.constantFrom('call', '#acme', '#a,#b', ' ', '#42', 'a#b')
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const note = words.join('')
        const parts = splitAtTags(note)
        expect(parts.join('')).toBe(note)
        const tags = parts.filter((_, index) => index % 2 === 1)
        expect([...new Set(tags)]).toEqual(tagsOf(note).map((tag) => `#${tag}`))
      }),
    )
  })
})
