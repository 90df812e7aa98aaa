import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createAddressBar } from '#test/address-bar.tsx'

import { useSearchText } from './search-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function SearchBox({ named }: { named?: Readonly<Record<string, string>> }) {
  const [text, setText] = useSearchText((name) => named?.[name] ?? name)
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

test('A text that the URL names is searched, also once its name is known, until another one is typed', async () => {
  const bar = createAddressBar('/sessions?filter=Acme')
  const shown = render(bar.router(<SearchBox />))
  expect(box().value).toBe('Acme')
  shown.rerender(bar.router(<SearchBox named={{ Acme: '#acme' }} />))
  expect(box().value).toBe('#acme')
  expect(bar.search()).toBe('?filter=Acme')

  fireEvent.change(box(), { target: { value: '#acme >1h' } })
  await rest()
  expect(bar.search()).toBe('?q=%23acme+%3E1h')
})
