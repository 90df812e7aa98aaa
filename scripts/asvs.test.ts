/** docs/asvs.csv: the requirements of OWASP ASVS 5.0.0, levels 1 and 2, and the files and tests that show them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCsv } from '@stint/core/csv.ts'
import { expect, test } from 'vitest'
import { ROOT } from './run.ts'

const [, ...rows] = readCsv(readFileSync(join(ROOT, 'docs/asvs.csv'), 'utf8')).rows
const requirements = rows.map(
  ([number = '', level = '', requirement = '', state = '', how = '', shownBy = '']) => ({
    number,
    level,
    requirement,
    state,
    how,
    // `file > title of a test | file | …`
    shownBy: shownBy.split(' | ').filter((reference) => reference !== ''),
  }),
)

/** Returns why a reference shows nothing, or undefined. */
function faultOf(reference: string): string | undefined {
  const [path = '', title] = reference.split(' > ')
  if (!existsSync(join(ROOT, path))) return `there is no ${path}`
  if (title === undefined) {
    return /\.(?:test|spec)\./.test(path) ? `${path}: which test?` : undefined
  }
  const code = readFileSync(join(ROOT, path), 'utf8').replaceAll("\\'", "'")
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((literal) => code.includes(literal))
    ? undefined
    : `${path} has no test '${title}'`
}

test('docs/asvs.csv has each requirement of levels 1 and 2 once, in order', () => {
  const numbers = requirements.map(({ number }) =>
    number.split('.').reduce((sum, part) => sum * 100 + Number(part), 0),
  )
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  expect(requirements.filter(({ level }) => level === '1')).toHaveLength(70)
  expect(requirements.filter(({ level }) => level === '2')).toHaveLength(183)
})

test('every requirement says how it is met, or why it is not', () => {
  expect(requirements.filter(({ requirement, how }) => requirement === '' || how === '')).toEqual(
    [],
  )
})

test('every file and every test that docs/asvs.csv names exists', () => {
  const references = [...new Set(requirements.flatMap(({ shownBy }) => shownBy))]
  expect(references.length).toBeGreaterThan(100)
  expect(references.flatMap((reference) => faultOf(reference) ?? [])).toEqual([])
})

test('a file that is missing, a test that is missing, and a file of tests without a title are found', () => {
  expect(
    [
      'scripts/none.json',
      'scripts/version.test.ts > no such test',
      'scripts/asvs.test.ts',
      'docs/security.md',
    ].map(faultOf),
  ).toEqual([
    'there is no scripts/none.json',
    "scripts/version.test.ts has no test 'no such test'",
    'scripts/asvs.test.ts: which test?',
    undefined,
  ])
})

test('docs/security.md states the right counts', () => {
  const states = requirements.map(({ state }) => (state === 'met with https' ? 'met' : state))
  const count = (state: string): number => states.filter((each) => each === state).length
  expect(readFileSync(join(ROOT, 'docs/security.md'), 'utf8')).toContain(
    `Of ${states.length}: ${count('met')} met, ${count('in part')} in part, ` +
      `${count('not met')} not met, ${count('operator')} up to the operator, ${count('n/a')} n/a.`,
  )
})
