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

test('goes after five seconds, or ten when something can be undone', () => {
  say({ text: 'Saved' })
  say({ text: 'Deleted', action: { label: 'Undo', run: () => undefined } })

  passSeconds(5)
  expect(screen.queryByText('Saved')).toBeNull()
  expect(screen.getByText('Deleted')).toBeTruthy()

  passSeconds(5)
  expect(screen.queryByText('Deleted')).toBeNull()
})

test('stays while it is pointed at, and an error stays until it is dismissed', () => {
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

test('never shows more than three: the oldest makes room', () => {
  for (const text of ['one', 'two', 'three', 'four']) say({ text })
  expect(screen.queryByText('one')).toBeNull()
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(3)
})

test('its action runs once and takes the message away', () => {
  const run = vi.fn<() => void>()
  say({ text: 'Deleted', action: { label: 'Undo', run } })
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(run).toHaveBeenCalledTimes(1)
  expect(screen.queryByText('Deleted')).toBeNull()
})

test('what was said to who signed out is not said to the next', () => {
  say({ text: 'Deleted', action: { label: 'Undo', run: () => undefined } })
  cleanup()
  render(<ToastRegion />)
  expect(screen.queryByText('Deleted')).toBeNull()
})
