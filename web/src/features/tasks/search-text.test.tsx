import { act, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { useSearchText } from './search-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function SearchBox() {
  const [text, setText] = useSearchText()
  return (
    <input aria-label="Search" value={text} onChange={(event) => setText(event.target.value)} />
  )
}

function open(address: string) {
  const router = createMemoryRouter([{ path: '/tasks', Component: SearchBox }], {
    initialEntries: [address],
  })
  render(<RouterProvider router={router} />)
  return router
}

const box = () => screen.getByLabelText<HTMLInputElement>('Search')

async function rest() {
  await act(async () => vi.advanceTimersByTimeAsync(300))
}

test('what is typed is there at once, and in the address when the typing rests', async () => {
  const router = open('/tasks')
  for (const text of ['r', 're', 'rep']) fireEvent.change(box(), { target: { value: text } })
  expect(box().value).toBe('rep')
  expect(router.state.location.search).toBe('')

  await rest()
  expect(router.state.location.search).toBe('?q=rep')

  fireEvent.change(box(), { target: { value: '' } })
  await rest()
  expect(router.state.location.search).toBe('')
})

test('the address decides what is searched for when it changes by itself', async () => {
  const router = open('/tasks?q=report')
  expect(box().value).toBe('report')

  await act(async () => router.navigate('/tasks'))
  expect(box().value).toBe('')
})
