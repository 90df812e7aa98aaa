import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'

import { renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

let app: RenderedApp

afterEach(() => app.close())

test.each([
  ['from=2026-03-31&to=2026-01-01', 'The range ends before it begins.'],
  ['from=2026-02-30&to=2026-03-01', 'Enter a start and an end date.'],
  ['from=2026-01-01', 'Enter a start and an end date.'],
])('A printable report says why its address names no range: %s', async (dates, problem) => {
  app = await renderApp(`/data/print?${dates}`, { signedIn: true })
  expect((await screen.findByRole('alert')).textContent).toBe(problem)
  expect(screen.queryByRole('article')).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Print' }).disabled).toBe(true)
})

test('A printable report without dates covers all time', async () => {
  app = await renderApp('/data/print', { signedIn: true })
  expect((await screen.findByRole('article')).textContent).toContain('All time')
})
