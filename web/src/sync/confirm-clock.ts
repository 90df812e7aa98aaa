import { BackendError } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'

/**
 * Corrects the instants of an unconfirmed clock before they are sent, or compared with those of the server.
 * Rejects with BackendError while the server does not confirm the clock. A server that does not tell the
 * time, as a real Appwrite, receives them as they are.
 */
export async function confirmClock({
  record,
  backend,
}: Pick<SyncContext, 'record' | 'backend'>): Promise<void> {
  if (!record.value('clock')) return
  const info = await backend.serverInfo()
  await record.takeIn(() => undefined)
  // The answer took too long to tell the time.
  if (typeof info?.serverTime === 'number' && record.value('clock'))
    throw new BackendError('unreachable', 'The clock is not confirmed')
}
