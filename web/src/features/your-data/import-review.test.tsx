import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { planImport, recogniseImport } from '@stint/core/transfer/entry-import.ts'
import { receiptsOf } from './import-receipts.ts'
import { ImportReview } from './import-review.tsx'

const TEXT = 'Date,Start,End,Task\n2026-03-09,09:00,10:00,A\n'

const undoImport = vi.hoisted(() => vi.fn<() => Promise<{ kept: number }>>())

vi.mock('#hooks/use-record-commands.ts', () => ({
  useRecordCommands: () => ({
    newId: () => '0123456789abcdef0123',
    now: () => 0,
    changeMany: () => Promise.reject(new Error('No room')),
  }),
}))
vi.mock('#hooks/use-settings.ts', () => ({ useDayRule: () => ({ timeZone: 'UTC' }) }))
vi.mock('#hooks/use-categories.ts', () => ({ useCategoryColors: () => new Map() }))
vi.mock('#hooks/use-connection.ts', () => ({ useConnection: () => ({ unsaved: 0 }) }))
vi.mock('./use-record.ts', () => ({ useRecord: () => ({ entries: [], tasks: [] }) }))
vi.mock('./use-everything.ts', () => ({ useAccountId: () => 'ada' }))
vi.mock('./use-undo-import.ts', async (original) => ({
  ...(await original<object>()),
  useUndoImport: () => undoImport,
}))
vi.mock('./use-import.ts', () => ({
  useImport: () => ({
    recognised: recogniseImport(TEXT),
    plan: planOf(),
    isCurrent: true,
    hasFailed: false,
  }),
}))

function planOf() {
  const steps = planImport(TEXT, {
    format: 'columns',
    timeZone: 'UTC',
    existing: { tasks: [], entries: [] },
    newId: () => 'id',
    now: Date.UTC(2026, 10, 29),
  })
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

beforeEach(() => localStorage.clear())

const UNDOES = {
  'was removed': () => Promise.resolve({ kept: 0 }),
  'could not be removed': () => Promise.reject(new Error('No room')),
}

test.each([
  ['was removed', true, /nothing was imported/],
  ['could not be removed', false, /This import was interrupted/],
] as const)(
  'What a failed import had saved %s, and its receipt says so',
  async (of, isUndone, says) => {
    undoImport.mockImplementation(UNDOES[of])
    render(<ImportReview source={{ name: 'a.csv', text: TEXT }} onClose={() => undefined} />)
    fireEvent.click(screen.getByRole('button', { name: 'Import 1 session' }))
    expect(await screen.findByText(says)).toBeDefined()
    expect(receiptsOf('ada')).toMatchObject([{ isUndone }])
  },
)
