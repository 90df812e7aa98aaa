import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCsv } from '@stint/core/csv.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { exportCsv, exportDaysCsv } from '@stint/core/transfer/entry-export.ts'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

test('docs/rules.md has every setting of the settings page under its label', () => {
  const rules = readFileSync(join(ROOT, 'docs/rules.md'), 'utf8')
  const part = rules.split('\n## ').find((each) => each.startsWith('Settings\n')) ?? ''
  const listed = [...part.matchAll(/^\| ([A-Z][^|]*?) +\|/gm)].map(([, label]) => label)
  const folder = join(ROOT, 'web/src/features/settings')
  const sections = ['appearance', 'days', 'focus', 'reminders', 'offline-and-keyboard']
  const shown = sections.flatMap((section) => {
    const code = readFileSync(join(folder, `${section}.tsx`), 'utf8')
    const controls = /<(?:Switch|Segmented|Select|Number)Row\s+label=\{t\('([^']+)'\)\}/g
    return [...code.matchAll(controls)].map(([, label]) => label)
  })
  expect(shown.length).toBeGreaterThan(15)
  expect(listed, 'docs/rules.md: the labels of the settings page, in its order').toEqual([
    'Setting',
    'Language',
    ...shown,
  ])
})

test('docs/rules.md has the columns of the CSV files', () => {
  const rules = readFileSync(join(ROOT, 'docs/rules.md'), 'utf8')
  const nothing = { entries: [], tasks: [] }
  const rule = dayRuleOf('UTC')
  for (const [row, csv] of [
    ['Columns of the CSV', exportCsv(nothing, rule)],
    ['Columns by day', exportDaysCsv(nothing, rule)],
  ]) {
    const columns = new RegExp(`^\\| ${row} +\\| ([^|;]+?)(?:;| +\\|)`, 'm').exec(rules)?.[1]
    expect(columns?.split(', '), `the row '${row}' of docs/rules.md`).toEqual(
      readCsv(csv ?? '').rows[0],
    )
  }
})

test('.env.example has every variable that docs/self-hosting.md lists, and sets none', () => {
  const page = readFileSync(join(ROOT, 'docs/self-hosting.md'), 'utf8')
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8')
  const listed = [...page.matchAll(/^- `([A-Z_]+)`(?: and `([A-Z_]+)`)?/gm)].flatMap(
    ([, ...names]) => names.filter(Boolean),
  )
  expect(listed).toContain('DATABASE_URL')
  const named = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(listed))
  expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
})

test('the index of decisions has every decision once, by its title', () => {
  const folder = join(ROOT, 'docs/decisions')
  const index = readFileSync(join(folder, 'README.md'), 'utf8')
  const listed = [...index.matchAll(/^- (\d+): \[(.+)\]\((.+\.md)\)/gm)].map(
    ([, number = '', title = '', file = '']) => `${file}: # ${number}. ${title}`,
  )
  const written = readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .map((file) => `${file}: ${readFileSync(join(folder, file), 'utf8').split('\n', 1)[0]}`)
  expect(written.length).toBeGreaterThan(30)
  expect(listed.toSorted()).toEqual(written.toSorted())
})

test('every link from one page to another leads to a file', () => {
  const all = [
    ...readdirSync(ROOT),
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) =>
      join('docs', path),
    ),
  ]
  const pages = all.filter((path) => path.endsWith('.md'))
  const links = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^):#]+)\)/g)].map(
      ([, target = '']) => join(dirname(page), target),
    ),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
