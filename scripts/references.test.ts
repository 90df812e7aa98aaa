import { expect, test } from 'vitest'

import { repositoryOf, unknownReferences } from './references.ts'

const REPOSITORY = repositoryOf(
  new Set([
    'README.md',
    'core/README.md',
    'core/src/day.ts',
    'docs/api.md',
    'docs/decisions/0009-a-packed-copy.md',
    'docs/decisions/0010-many-in-one-call.md',
    'docs/screenshots/landing-wide.png',
  ]),
)

function found(text: string, path = 'core/src/day.ts'): string[] {
  return unknownReferences(path, text, REPOSITORY).map((reference) => reference.text)
}

test.for([
  ['a numbered part of a page', '// Longer pauses are dropped (spec 4).', 'spec 4'],
  ['a numbered section of a page', ' * See design 5.6.', 'design 5.6'],
  ['a section with its sign', '/* Reliability § 4.11 */', 'Reliability § 4.11'],
  ['a section in the title of a test', "test('keeps contract 2.12', () => {", 'contract 2.12'],
  ['a numbered issue', '# From issue 18.', 'issue 18'],
  ['an issue with its sign', '# From issue #18.', 'issue #18'],
  ['a page of the root that is missing', '// house.md says so.', 'house.md'],
  ['a page of docs/ that is missing', '`docs/rooms.md`', 'docs/rooms.md'],
  ['a page in a string that is missing', "const page = 'docs/rooms.md'", 'docs/rooms.md'],
  ['a folder of docs/ that is missing', '// Kept in docs/rooms/wide.', 'docs/rooms/wide'],
  [
    'a decision that is missing, by its path',
    '// Why: docs/decisions/0009-a-packed-list.md',
    'docs/decisions/0009-a-packed-list.md',
  ],
  ['a decision that is missing, by its number', '// Why: decision 97.', 'decision 97'],
  [
    'a decision that is missing, in a row',
    '// See decisions 9, 10 and 11.',
    'decisions 9, 10 and 11',
  ],
  ['a source file that is missing', '// As in time/week.ts.', 'time/week.ts'],
  ['a folder that is missing', ' * Those of `core/weeks/`.', 'core/weeks/'],
  ['a label in a line comment', 'const gap = 3 // as in S12', 'S12'],
  ['a label in a block comment', ' * A press at night (T25) counts.', 'T25'],
  ['a label in the title of a test', "  test.each([1])('T25: a press counts', () => {", 'T25'],
] as const)('a reference to %s is found', ([, text, reference]) => {
  expect(found(`a line before it\n${text}`)).toEqual([reference])
})

test.for([
  ['a label', 'The rule S12 holds.', 'S12'],
  ['a section', 'See [the list](../README.md) and spec 4.2.', 'spec 4.2'],
  ['a link', 'See [the list](lists.md).', 'lists.md'],
] as const)('a page in Markdown cannot refer to %s that is missing', ([, text, reference]) => {
  expect(found(text, 'docs/api.md')).toEqual([reference])
})

test('a reference is reported with its line', () => {
  expect(unknownReferences('core/src/day.ts', 'a line\n\n// spec 4', REPOSITORY)).toEqual([
    { line: 3, text: 'spec 4' },
  ])
})

test.for([
  ['a page that exists', '// See docs/api.md and README.md.'],
  ['a page beside a folder of docs/', '// See decisions/0009-a-packed-copy.md.'],
  ['a page of a package', '// See core/README.md.'],
  ['a folder of docs/ that exists', '// Pictures are in docs/screenshots/.'],
  ['decisions that exist', '// Decision 9; decisions 9 and 10.'],
  ['a page on the web', '// https://sqlite.org/docs/wal.md and https://example.com/house.md'],
  ['a pattern of paths', "glob('docs/**/*.md')"],
  ['a name that a program makes', 'const page = `docs/decisions/${number}-${title}.md`'],
  ['the words without a number', '// By design, the issue of a spec is a contract.'],
  ['a number beside other words', '// At most 4 sessions in 5.6 s.'],
  ['names in code that look like labels', "const T1 = task('T1')"],
  ['dates and codes in a comment', "// '2026-11-22T10:00' and UTF-8 and C0"],
  ['a source file, by the end of its path', '// As in src/day.ts and `core/src/`.'],
  ['a source file in code', "import a from './week.ts'"],
  ['the size of a sheet', '// Printed on A4.'],
] as const)('%s is no missing reference', ([, text]) => {
  expect(found(text)).toEqual([])
})

test('a page in Markdown is found from its own folder', () => {
  expect(found('[9](0009-a-packed-copy.md)', 'docs/decisions/0010-many-in-one-call.md')).toEqual([])
  expect(found('[the API](../api.md)', 'docs/decisions/0010-many-in-one-call.md')).toEqual([])
})
