import { beforeEach, expect, test, vi } from 'vitest'

import { currentLocation } from '#ui/navigation.tsx'

beforeEach(() => vi.resetModules())

/** Opens an address as a new page load; returns the link's state, the address and the history. */
async function open(address: string) {
  history.replaceState(null, '', address)
  const { mailLinkOf, takeMailLink } = await import('./mail-link.ts')
  takeMailLink()
  const { pathname, search, state } = currentLocation()
  const kept: unknown = history.state
  return { link: mailLinkOf(state), address: pathname + search, state, kept, mailLinkOf }
}

test('A link is kept in memory, and its secret is removed from the address and the history', async () => {
  const opened = await open('/recovery?userId=ada&secret=s3cret&expire=2026-01-15')
  expect(opened.link).toEqual({ kind: 'link', link: { userId: 'ada', secret: 's3cret' } })
  expect(opened.address).toBe('/recovery')
  expect(JSON.stringify(opened.kept)).not.toContain('s3cret')
})

test('After a reload the page knows that a link opened it, but not its secret', async () => {
  const { state } = await open('/verify?userId=ada&secret=s3cret')
  vi.resetModules()
  const { mailLinkOf } = await import('./mail-link.ts')
  expect(mailLinkOf(state)).toEqual({ kind: 'forgotten' })
})

test('A link that lacks a part is broken', async () => {
  expect((await open('/verify?userId=ada')).link).toEqual({ kind: 'broken' })
  vi.resetModules()
  const opened = await open('/recovery?secret=s3cret')
  expect(opened.link).toEqual({ kind: 'broken' })
  expect(opened.address).toBe('/recovery')
})

test('A page that the app navigates to has no link, even after a link was opened', async () => {
  const { mailLinkOf } = await open('/recovery?userId=ada&secret=s3cret')
  expect(mailLinkOf(null)).toEqual({ kind: 'none' })
})

test('Other addresses keep their query', async () => {
  const opened = await open('/dashboard?userId=ada&secret=s3cret')
  expect(opened.address).toBe('/dashboard?userId=ada&secret=s3cret')
  expect(opened.link).toEqual({ kind: 'none' })
})
