import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createAddressBar } from '#test/address-bar.tsx'

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
  const bar = createAddressBar(address)
  render(bar.router(<SearchBox />))
  return bar
}

const box = () => screen.getByLabelText<HTMLInputElement>('Search')

async function rest() {
  await act(async () => vi.advanceTimersByTimeAsync(300))
}

test('Typed text is in the box at once, and in the URL once typing pauses', async () => {
  const bar = open('/tasks')
  for (const text of ['r', 're', 'rep']) fireEvent.change(box(), { target: { value: text } })
  expect(box().value).toBe('rep')
  expect(bar.search()).toBe('')

  await rest()
  expect(bar.search()).toBe('?q=rep')

  fireEvent.change(box(), { target: { value: '' } })
  await rest()
  expect(bar.search()).toBe('')
})

test('A change of the URL replaces the searched text', async () => {
  const bar = open('/tasks?q=report')
  expect(box().value).toBe('report')

  await act(async () => bar.go('/tasks'))
  expect(box().value).toBe('')
})
