import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { navigate, Router } from './navigation.tsx'
import { showToast, ToastRegion } from './toast.tsx'
import type { Toast } from './toast.tsx'

const dismissals: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  show()
})

afterEach(() => {
  act(() => dismissals.splice(0).forEach((dismiss) => dismiss()))
  vi.useRealTimers()
})

function show() {
  navigate('/')
  render(
    <Router>
      <ToastRegion />
    </Router>,
  )
}

function say(toast: Toast) {
  act(() => void dismissals.push(showToast(toast)))
}

function passSeconds(seconds: number) {
  act(() => void vi.advanceTimersByTime(seconds * 1000))
}

test('A toast disappears after five seconds, or after ten with an action', () => {
  say({ text: 'Saved' })
  passSeconds(5)
  expect(screen.queryByText('Saved')).toBeNull()

  say({ text: 'Deleted', action: { label: 'Undo', run: () => undefined } })
  passSeconds(5)
  expect(screen.getByText('Deleted')).toBeTruthy()
  passSeconds(5)
  expect(screen.queryByText('Deleted')).toBeNull()
})

test('A toast stays while it is hovered, and an error stays until it is dismissed', () => {
  say({ text: 'Saved' })
  fireEvent.pointerEnter(screen.getByText('Saved'))
  passSeconds(60)
  expect(screen.getByText('Saved')).toBeTruthy()

  fireEvent.pointerLeave(screen.getByText('Saved'))
  passSeconds(5)
  expect(screen.queryByText('Saved')).toBeNull()

  say({ text: 'Failed', tone: 'danger' })
  passSeconds(60)
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Failed')).toBeNull()
})

test('One toast is shown at a time: the newest, and below it an error that was not dismissed', () => {
  say({ text: 'Failed', tone: 'danger' })
  for (const text of ['one', 'two', 'three']) say({ text })
  expect(screen.getByRole('status').textContent).toBe('threeDismiss')
  passSeconds(5)
  expect(screen.getByRole('status').textContent).toBe('FailedDismiss')
})

test('Several of one kind are one line with their number, and its action undoes the newest first', async () => {
  const undone: string[] = []
  for (const name of ['first', 'second', 'third']) {
    const run = () => void undone.push(name)
    say({ text: 'Deleted', action: { label: 'Undo', run }, several: (count) => `${count} deleted` })
  }
  expect(screen.getByRole('status').textContent).toBe('3 deletedUndoDismiss')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Undo' })))
  expect(undone).toEqual(['third', 'second', 'first'])
  expect(screen.getByRole('status').textContent).toBe('')
})

test('A toast is gone on the next page, an error is not, nor what the next page says itself', () => {
  say({ text: 'Failed', tone: 'danger' })
  say({ text: 'Saved' })
  act(() => navigate('/tasks'))
  expect(screen.getByRole('status').textContent).toBe('FailedDismiss')
  say({ text: 'Added' })
  act(() => navigate('/tasks?q=report'))
  expect(screen.getByRole('status').textContent).toBe('AddedDismiss')
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
  show()
  expect(screen.queryByText('Deleted')).toBeNull()
})
