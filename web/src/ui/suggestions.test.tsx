import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'

import { Suggestions } from './suggestions.tsx'

const WORDS = ['@one', '@only', '@other']

/** Completes a word that begins with '@'. */
function complete(text: string, cursor: number) {
  const begun = /@\w*$/.exec(text.slice(0, cursor))
  if (!begun) return null
  return { start: begun.index, words: WORDS.filter((word) => word.startsWith(begun[0])) }
}

function Line({
  maxLength,
  onEnter,
  isLoaded = true,
}: {
  maxLength: number
  onEnter: () => void
  isLoaded?: boolean
}) {
  const [text, setText] = useState('')
  const [field, setField] = useState<HTMLInputElement | null>(null)
  return (
    <>
      <input
        ref={setField}
        aria-label="Line"
        value={text}
        maxLength={maxLength}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onEnter()
        }}
      />
      {field && isLoaded && <Suggestions field={field} complete={complete} />}
      <button type="button">Next</button>
    </>
  )
}

/** Returns the field, a user, and what counts the presses of Enter that reach the field. */
function line(maxLength = 100) {
  const onEnter = vi.fn<() => void>()
  render(<Line maxLength={maxLength} onEnter={onEnter} />)
  return {
    field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Line' }),
    user: userEvent.setup(),
    onEnter,
  }
}

/** Returns the words that are suggested, the active one in brackets. */
function suggested(): string[] {
  return screen.queryAllByRole('option', { hidden: true }).map((option) => {
    const word = option.textContent
    return option.ariaSelected === 'true' ? `[${word}]` : word
  })
}

test('Arrows move through the words and around, and Enter takes one with a space behind it', async () => {
  const { field, user, onEnter } = line()
  await user.type(field, 'call @o')
  expect(suggested()).toEqual(['[@one]', '@only', '@other'])
  screen.getByText('3 suggestions')
  await user.keyboard('{ArrowUp}')
  expect(suggested()).toEqual(['@one', '@only', '[@other]'])
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(suggested()).toEqual(['@one', '[@only]', '@other'])
  const active = screen.getByRole('option', { name: '@only', hidden: true })
  expect(field.getAttribute('aria-activedescendant')).toBe(active.id)
  await user.keyboard('{Enter}x')
  expect(field.value).toBe('call @only x')
  expect(suggested()).toEqual([])
  expect(field.hasAttribute('aria-activedescendant')).toBe(false)
  expect(onEnter).not.toHaveBeenCalled()
})

test('Without suggestions Enter, Tab, Escape and the arrows are the field’s', async () => {
  const { field, user, onEnter } = line()
  await user.type(field, 'call @none{Enter}')
  expect(onEnter).toHaveBeenCalledOnce()
  expect(fireEvent.keyDown(field, { key: 'Escape' })).toBe(true)
  expect(fireEvent.keyDown(field, { key: 'ArrowDown' })).toBe(true)
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next' }))
  expect(field.value).toBe('call @none')
})

test('Tab takes a word and stays in the field; Shift+Tab leaves it', async () => {
  const { field, user } = line()
  await user.type(field, '@ot')
  await user.tab()
  expect(document.activeElement).toBe(field)
  expect(field.value).toBe('@other ')
  await user.type(field, '@ot')
  await user.tab({ shift: true })
  expect(document.activeElement).not.toBe(field)
  expect(suggested()).toEqual([])
  expect(field.value).toBe('@other @ot')
})

test('Escape closes the list, and typing on opens it again', async () => {
  const { field, user } = line()
  await user.type(field, '@o')
  expect(fireEvent.keyDown(field, { key: 'Escape' })).toBe(false)
  expect(suggested()).toEqual([])
  await user.type(field, 'n')
  expect(suggested()).toEqual(['[@one]', '@only'])
})

test('A press takes a word, also before another word, without leaving the field', async () => {
  const { field, user } = line()
  await user.type(field, ' later')
  await user.type(field, '@o', { initialSelectionStart: 0, initialSelectionEnd: 0 })
  await user.click(screen.getByRole('option', { name: '@other', hidden: true }))
  expect(document.activeElement).toBe(field)
  expect(field.value).toBe('@other later')
})

test('Keys of a composition take nothing', async () => {
  const { field, user } = line()
  await user.type(field, '@o')
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
    const enter = createEvent.keyDown(field, { key: 'Enter', ...init })
    fireEvent(field, enter)
    expect(field.value).toBe('@o')
  }
})

test('Words that the field has no room for are not suggested, and a space only if it fits', async () => {
  const { field, user } = line('call @only'.length)
  await user.type(field, 'call @o')
  expect(suggested()).toEqual(['[@one]', '@only'])
  await user.keyboard('{ArrowDown}{Enter}')
  expect(field.value).toBe('call @only')
})

test('What was typed before the suggestions were loaded is completed once they are, in the field with the focus', async () => {
  const onEnter = vi.fn<() => void>()
  const line = (isLoaded: boolean) => <Line maxLength={100} onEnter={onEnter} isLoaded={isLoaded} />
  const { rerender } = render(line(false))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Line' })
  const user = userEvent.setup()
  await user.type(field, 'call @on')
  expect(suggested()).toEqual([])
  rerender(line(true))
  expect(suggested()).toEqual(['[@one]', '@only'])
  await user.keyboard('{Enter}')
  expect([field.value, onEnter.mock.calls]).toEqual(['call @one ', []])

  rerender(line(false))
  await user.type(field, '@o')
  await user.click(screen.getByRole('button', { name: 'Next' }))
  rerender(line(true))
  expect(suggested()).toEqual([])
})
