import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { apostropheRemover, readCsv, readCsvChunked, writeCsv } from './csv.ts'

const withoutApostrophes = apostropheRemover()

/** The delimiters of exports. */
const WRITTEN = [',', ';', '\t'] as const

test.each([
  ['', '[]'],
  ['\uFEFF', '[]'],
  ['\r\n\r\n', '[]'],
  ['a,b\r\n1,2\r\n', '[["a","b"],["1","2"]]'],
  ['a,b\n1,2', '[["a","b"],["1","2"]]'],
  ['a,b\r1,2\r', '[["a","b"],["1","2"]]'],
  ['\uFEFFa,b\n', '[["a","b"]]'],
  ['a,b\n\n\n1,2\n', '[["a","b"],["1","2"]]'],
  ['a,\n,b\n', '[["a",""],["","b"]]'],
  ['"a","b"\n"1","2"\n', '[["a","b"],["1","2"]]'],
  ['"a ""b""","c,d"\n', '[["a \\"b\\"","c,d"]]'],
  ['"a\r\nb",c\n', '[["a\\r\\nb","c"]]'],
  ['"",""\n', '[["",""]]'],
  ['""\n', '[[""]]'],
  [' a , "b"\n', '[[" a "," \\"b\\""]]'],
  ['a 12" screen,b\n', '[["a 12\\" screen","b"]]'],
  ['"a"b,c\n', '[["ab","c"]]'],
  ['a;b\n1,5;2\n', '[["a","b"],["1,5","2"]]'],
  ['a\tb\n1\t2\n', '[["a","b"],["1","2"]]'],
  ['a|b\n1|2\n', '[["a","b"],["1","2"]]'],
  ['"a,a";"b"\n"1,1";"2"\n', '[["a,a","b"],["1,1","2"]]'],
  ['sep=;\r\na;b,c\r\n', '[["a","b,c"]]'],
  ['a\nb\n', '[["a"],["b"]]'],
  ['a,b\n1,2,3\n4\n', '[["a","b"],["1","2","3"],["4"]]'],
])('A CSV text is read as its rows: %j', (text, rows) => {
  const read = readCsv(text)
  expect([JSON.stringify(read.rows), read.problems]).toEqual([rows, []])
})

test('Reading CSV returns the line that each row begins on', () => {
  expect(readCsv('a,b\r\n\r\n"1\r\n1",2\r\n3,4\r\n').lines).toEqual([1, 3, 5])
  expect(readCsv('sep=,\na,"b\rc"\nd,e').lines).toEqual([2, 4])
})

test('Reading CSV reports a quote that is never closed, and loses no row after it', () => {
  expect(readCsv('a,b\n1,2\n"3,4\n5,6\n')).toMatchObject({
    rows: [
      ['a', 'b'],
      ['1', '2'],
      ['"3', '4'],
      ['5', '6'],
    ],
    problems: [{ line: 3, text: '"3,4', why: 'A quotation mark is opened here and never closed.' }],
  })
  expect(readCsv('"').problems).toHaveLength(1)
})

test('Reading CSV reports its progress', () => {
  const reading = readCsvChunked('0123456789,\n'.repeat(200_000))
  const progress: number[] = []
  let step = reading.next()
  while (!step.done) {
    progress.push(step.value)
    step = reading.next()
  }
  expect(progress.map((share) => Math.round(share * 100))).toEqual([42, 83])
  expect(step.value.rows).toHaveLength(200_000)
})

test('Reading CSV takes time in proportion to the text, however odd it is', () => {
  // If each of these quotes were searched to the end of the text, reading would take hours.
  for (const odd of ['"a""\n', '"\n', 'a"b,"c\n', '""a,', '"""\n', '"a"b"c\n']) {
    const table = readCsv(odd.repeat(300_000))
    expect(table.rows.length).toBeGreaterThan(0)
    expect(table.problems.length).toBeLessThanOrEqual(1)
  }
})

test('Writing CSV quotes only the fields that need it', () => {
  expect(writeCsv([['a', 'b,c', 'd"e', 'f\ng'], [''], ['', '']])).toBe(
    'a,"b,c","d""e","f\ng"\r\n""\r\n,\r\n',
  )
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@a',
  '\ta',
  '\ra',
  '\na',
  "'=1",
  "''-",
  ' =1',
  '\u00A0\u200B\uFEFF+1',
  '  "=1"',
  ` '"-1`,
  '＝1',
  '＋1',
  '－1',
  '＠SUM(1)',
  '﹦1',
  '\u0000=1',
  '  \n x',
])('Writing CSV keeps %j from running as a formula', (field) => {
  const [[written = ''] = []] = readCsv(`sep=,\n${writeCsv([[field, 'b']])}`).rows
  expect(written).toBe(`'${field}`)
  expect(withoutApostrophes(written)).toBe(field)
})

test.each([
  ['a;=1', "a;'=1"],
  ['a; "-1"', `a;' "-1"`],
  ["a;'=1", "a;''=1"],
  ['a;;+1', "a;;'+1"],
  ['a\t@b', "a\t'@b"],
  ['- a\n- b\r\n- c', "'- a\n'- b\r\n'- c"],
  ['\n=1', "'\n'=1"],
  ['a|＝1', "a|'＝1"],
])('Writing CSV keeps any part of %j from running where a program divides it', (field, guarded) => {
  const [[written = ''] = []] = readCsv(`sep=,\n${writeCsv([[field, 'b']])}`).rows
  expect(written).toBe(guarded)
  expect(withoutApostrophes(written)).toBe(field)
})

test.each(WRITTEN)(
  'No cell of CSV with %j begins a formula, whichever delimiter a program assumes',
  (written) => {
    const anyField = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[a"',;|=+@＝－\r\n\t\u00A0\u200B -]{0,12}$/),
    )
    const inner = new RegExp(
      `[${[',', ';', '\t', '|'].filter((each) => each !== written).join('')}\r\n]`,
    )
    fc.assert(
      fc.property(fc.array(anyField, { minLength: 2, maxLength: 4 }), (fields) => {
        const csv = writeCsv([fields.map((_, index) => `Column ${index}`), fields], written)
        const cells = [',', ';', '\t', '|'].flatMap((delimiter) =>
          readCsv(`sep=${delimiter}\n${csv}`).rows.flat(),
        )
        const begun = cells
          .flatMap((cell) => [cell, ...cell.split(inner)])
          .filter((cell) => /^[\s\u200B"]*[=+\-@＝＋－＠]/u.test(cell))
        expect(begun).toEqual([])
        expect(readCsv(csv).rows[1]?.filter((cell) => /^[\t\r\n]/.test(cell))).toEqual([])
      }),
      { numRuns: 2000 },
    )
  },
)

test('Writing CSV takes time in proportion to the field', () => {
  for (const odd of [';', '; ', `'"`, ";'", '\t', ' ']) {
    const field = odd.repeat(200_000)
    const { rows } = readCsv(`sep=,\n${writeCsv([['a', field]])}`)
    // `toBe` would print both texts on failure.
    expect(withoutApostrophes(rows[0]?.[1] ?? '') === field).toBe(true)
  }
})

test.each(['plain', "it's", "'quoted'", '1-1'])('Writing CSV leaves %j alone', (field) => {
  expect(writeCsv([[field]])).toBe(`${field}\r\n`)
  expect(withoutApostrophes(field)).toBe(field)
})

test.each(WRITTEN)(
  'Any table that is written as CSV with %j is read back unchanged',
  (delimiter) => {
    const anyField = fc.oneof(
      fc.string(),
      fc.stringMatching(/^["',;|=＝－\r\n\t a-]{0,9}$/),
      fc.string({ unit: 'grapheme' }),
    )
    const anyTable = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(anyField, { minLength: width, maxLength: width }), { minLength: 1 }),
      )
    fc.assert(
      fc.property(anyTable, (rows) => {
        // The first row determines the delimiter, as headings do.
        const headings = rows[0]?.map((_, index) => `Column ${index}`) ?? []
        const { rows: read, problems } = readCsv(writeCsv([headings, ...rows], delimiter))
        const unguarded = apostropheRemover(delimiter)
        expect(read.slice(1).map((row) => row.map(unguarded))).toEqual(rows)
        expect(problems).toEqual([])
      }),
      { numRuns: 300 },
    )
  },
)
