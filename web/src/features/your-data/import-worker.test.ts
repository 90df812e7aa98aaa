import { afterEach, expect, test, vi } from 'vitest'
import type { ToWorker } from './import-messages.ts'

vi.mock('@stint/core/transfer/entry-import.ts', () => ({
  recogniseImport: () => null,
  planImport: () => {
    throw new Error('broken')
  },
}))

afterEach(() => vi.unstubAllGlobals())

function hear(data: ToWorker): void {
  self.dispatchEvent(new MessageEvent('message', { data }))
}

test('A plan that cannot be made is an error of the worker, which the page hears', async () => {
  const reported = vi.fn<(error: unknown) => void>()
  vi.stubGlobal('reportError', reported)
  vi.stubGlobal('postMessage', vi.fn())
  await import('./import-worker.ts')
  hear({ kind: 'open', text: '', existing: { tasks: [], entries: [] }, now: 0, firstId: 'f' })
  hear({ kind: 'plan', job: 0, choices: { format: 'columns', timeZone: 'UTC' } })
  await vi.waitFor(() => expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('broken')))
})
