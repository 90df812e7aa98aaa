import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { ToastRegion } from './toast.tsx'
import { offerUndo, undoLast } from './undo.ts'

test.each([
  [{}, undefined, 'Undone: Session deleted'],
  [{ undone: 'Session restored' }, undefined, 'Session restored'],
  [{ undone: 'Session restored' }, 'Couldn’t undo', 'Couldn’t undo'],
])(
  'After an undo by keyboard with %j that resolves with %j, a toast says %j',
  async (options, kept, text) => {
    render(<ToastRegion />)
    offerUndo('Session deleted', async () => kept, options)
    undoLast()
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByText('Session deleted')).toBeNull()
  },
)
