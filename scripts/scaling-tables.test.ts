import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { PeopleBench } from '../bench/server/people.ts'
import { ROOT } from './run.ts'
import { withScalingTables } from './scaling-tables.ts'

interface Results {
  readonly people: { readonly measured: PeopleBench }
}

const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8')
const { people }: Results = JSON.parse(readFileSync(join(ROOT, 'bench/results.json'), 'utf8'))

/** The formatter pads the cells. */
const withoutPadding = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')

test('the figures of docs/scaling.md are those of the last benchmark', () => {
  const generated = withScalingTables(page, people.measured)
  expect(withoutPadding(page)).toBe(withoutPadding(generated))
  expect(page).not.toContain('NaN')
})

test('other figures make other tables', () => {
  const growth = people.measured.growth.map((each) => ({
    ...each,
    listMicroseconds: (each.listMicroseconds ?? 0) * 2,
  }))
  const generated = withScalingTables(page, { ...people.measured, growth })
  expect(withoutPadding(generated)).not.toBe(withoutPadding(page))
})
