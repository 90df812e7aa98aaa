import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { bestChoices } from './fuzzy-search.ts'

const names = (labels: readonly string[], text: string) =>
  bestChoices(
    labels.map((label) => ({ label })),
    text,
  ).map(({ label }) => label)

test.each([
  ['nothing typed: all, as given', '', ['Write', 'Plan'], ['Write', 'Plan']],
  ['blanks are nothing', '  ', ['Write', 'Plan'], ['Write', 'Plan']],
  ['the whole name first', 'plan', ['Plan the week', 'Plan'], ['Plan', 'Plan the week']],
  [
    'the start of the name before the start of a word, that before the middle',
    're',
    ['Prepare', 'Write report', 'Reply'],
    ['Reply', 'Write report', 'Prepare'],
  ],
  ['words in any order', 'rep wri', ['Write report', 'Write'], ['Write report']],
  ['initials', 'wr', ['Read', 'Weekly review'], ['Weekly review']],
  ['letters left out', 'wrtrpt', ['Write report', 'Plan'], ['Write report']],
  ['accents and case do not matter', 'ETUDE', ['Étude', 'Plan'], ['Étude']],
  ['nor does how words are parted', 'stint web', ['Stint/web', 'Web'], ['Stint/web']],
  [
    'letters strewn over a long name mean nothing',
    'wri',
    ['Review the very long and winding request'],
    [],
  ],
  ['none', 'xyz', ['Write report'], []],
  ['scattered letters must begin a word', 'rt', ['Write'], []],
  ['equally good ones keep their order', 'b', ['B two', 'B one'], ['B two', 'B one']],
  ['a name in another script', '計画', ['今日の計画', 'Plan'], ['今日の計画']],
])('The best choices are found and ordered: %s', (_, text, labels, expected) => {
  expect(names(labels, text)).toEqual(expected)
})

test('A choice is found by its keywords, after choices whose label matches', () => {
  const out = { label: 'Sign out', keywords: 'log out leave' }
  const log = { label: 'Log hours' }
  expect(bestChoices([out, log], 'log')).toEqual([log, out])
})

test('Only given choices are returned, none twice, and every substring of a name finds it', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/)
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1 }), fc.nat(), fc.nat(), (labels, at, cut) => {
      const label = labels[at % labels.length] ?? ''
      const text = label.slice(cut % label.length)
      const found = names(labels, text)
      expect(found).toContain(label)
      expect(new Set(found).size).toBe(found.length)
      expect(found.every((each) => labels.includes(each))).toBe(true)
    }),
  )
})

/** What `bestChoices` does, said as plainly as can be, for short names. */
function plainDistance(name: string, wanted: string): number | null {
  const [words, typed] = [name.split(' '), wanted.split(' ')]
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  if (name.includes(` ${wanted}`)) return 2
  if (typed.every((part) => words.some((word) => word.startsWith(part)))) return 3
  if (name.includes(wanted)) return 4
  if (typed.every((part) => name.includes(part))) return 5
  const letters = wanted.replaceAll(' ', '')
  if (
    words
      .map((word) => word.charAt(0))
      .join('')
      .includes(letters)
  )
    return 6
  const isShort = words.some((_, index) => {
    const rest = words.slice(index).join(' ')
    const end = Array.from(letters).reduce(
      (from, letter) => (from < 0 ? from : rest.indexOf(letter, from) + 1 || -1),
      0,
    )
    return rest[0] === letters[0] && end > 0 && end <= letters.length * 2.5
  })
  return isShort ? 6 : null
}

test('Short names are ranked as a search of every word ranks them', () => {
  const name = fc.stringMatching(/^[abc]{1,5}( [abc]{1,5}){0,5}$/)
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), name, (labels, text) => {
      const ranked = labels
        .map((label) => ({ label, distance: plainDistance(label, text) }))
        .filter(({ distance }) => distance !== null)
        .toSorted((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
      expect(names(labels, text)).toEqual(ranked.map(({ label }) => label))
    }),
    { numRuns: 2000 },
  )
})
