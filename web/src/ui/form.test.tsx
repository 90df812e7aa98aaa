import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { Form } from './form.tsx'

function formThatCounts() {
  const sent: (() => void)[] = []
  render(
    <Form onSend={() => new Promise<void>((resolve) => sent.push(resolve))}>
      <input aria-label="Name" />
      <button type="submit">Send</button>
    </Form>,
  )
  return sent
}

test('A second submit while the first is in progress sends nothing, and one after it sends again', async () => {
  const sent = formThatCounts()
  const user = userEvent.setup()

  await user.dblClick(screen.getByRole('button', { name: 'Send' }))
  expect(sent).toHaveLength(1)

  sent[0]?.()
  await user.type(screen.getByLabelText('Name'), 'again{Enter}')
  expect(sent).toHaveLength(2)
})

test.each([
  ['while composing', { isComposing: true }],
  ['that ends a composition in Safari', { keyCode: 229 }],
])('Pressing Enter %s submits nothing', (_, init) => {
  formThatCounts()
  const field = screen.getByLabelText('Name')
  const enter = createEvent.keyDown(field, { key: 'Enter', ...init })
  fireEvent(field, enter)
  expect(enter.defaultPrevented).toBe(true)
})
