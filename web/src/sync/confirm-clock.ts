import { BackendError } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'

/**
 * Waits until the server has confirmed the clock, and corrects the instants that were written before. Nothing
 * is sent or taken in before: a clock that was set ahead looks like sleep. Rejects with BackendError while the
 * server does not answer. A server that does not tell the time, as a real Appwrite, receives instants as they
 * are.
 */
export async function confirmClock({
  record,
  backend,
}: Pick<SyncContext, 'record' | 'backend'>): Promise<void> {
  const isConfirmed = () => record.clock.reading?.().isSure !== false && !record.value('clock')
  if (isConfirmed()) return
  const info = await backend.serverInfo()
  await record.takeIn(() => undefined)
  // The answer took too long to tell the time.
  if (typeof info?.serverTime === 'number' && !isConfirmed())
    throw new BackendError('unreachable', 'The clock is not confirmed')
}
