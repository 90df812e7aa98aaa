import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { showToast, ToastRegion } from './toast.tsx'
import type { Toast } from './toast.tsx'

const dismissals: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  render(<ToastRegion />)
})

afterEach(() => {
  act(() => dismissals.splice(0).forEach((dismiss) => dismiss()))
  vi.useRealTimers()
})

function say(toast: Toast) {
  act(() => void dismissals.push(showToast(toast)))
}

function passSeconds(seconds: number) {
  act(() => void vi.advanceTimersByTime(seconds * 1000))
}

test('A toast disappears after five seconds, or after ten with an action', () => {
  say({ text: 'Saved' })
  say({ text: 'Deleted', action: { label: 'Undo', run: () => undefined } })

  passSeconds(5)
  expect(screen.queryByText('Saved')).toBeNull()
  expect(screen.getByText('Deleted')).toBeTruthy()

  passSeconds(5)
  expect(screen.queryByText('Deleted')).toBeNull()
})

test('A toast stays while it is hovered, and an error stays until it is dismissed', () => {
  say({ text: 'Saved' })
  say({ text: 'Failed', tone: 'danger' })

  fireEvent.pointerEnter(screen.getByText('Saved'))
  passSeconds(60)
  expect(screen.getByText('Saved')).toBeTruthy()

  fireEvent.pointerLeave(screen.getByText('Saved'))
  passSeconds(5)
  expect(screen.queryByText('Saved')).toBeNull()

  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Failed')).toBeNull()
})

test('At most three toasts are shown, and a new one replaces the oldest', () => {
  for (const text of ['one', 'two', 'three', 'four']) say({ text })
  expect(screen.queryByText('one')).toBeNull()
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(3)
})

test('The action of a toast runs once and closes the toast', () => {
  const run = vi.fn<() => void>()
  say({ text: 'Deleted', action: { label: 'Undo', run } })
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(run).toHaveBeenCalledTimes(1)
  expect(screen.queryByText('Deleted')).toBeNull()
})

test('The toasts of a user who signs out are not shown to the next user', () => {
  say({ text: 'Deleted', action: { label: 'Undo', run: () => undefined } })
  cleanup()
  render(<ToastRegion />)
  expect(screen.queryByText('Deleted')).toBeNull()
})
