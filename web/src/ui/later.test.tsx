import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { later } from './later.tsx'

function Question() {
  return <p>Keep 8 s?</p>
}

test('A part whose code failed to load appears when the network returns, without a new mount', async () => {
  let isOnline = false
  const Later = later(
    async () => {
      if (!isOnline) throw new Error('no network')
      return Question
    },
    <p>Loading</p>,
  )
  render(<Later />)
  await expect(Later.load()).rejects.toThrow('no network')
  expect(screen.getByText('Loading')).toBeDefined()

  isOnline = true
  dispatchEvent(new Event('online'))
  expect(await screen.findByText('Keep 8 s?')).toBeDefined()
  expect(screen.queryByText('Loading')).toBeNull()
})

test('A part that was loaded ahead is shown at once', async () => {
  const Later = later(async () => Question)
  await Later.load()
  render(<Later />)
  expect(screen.getByText('Keep 8 s?')).toBeDefined()
})
