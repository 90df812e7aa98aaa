/**
 * What this browser knows before anyone is asked: who was signed in last. IndexedDB, because it
 * survives a crash and localStorage does not (M2).
 */
import { Dexie } from 'dexie'
import type { Table } from 'dexie'

import type { User } from '#backend/backend.ts'

export interface IdentityRecord {
  readonly key: 'identity'
  readonly user: User
  /** False: the sign-in ends with the browser, so the backend is asked first (S37). */
  readonly remember: boolean
}

/** A sign-out that the backend has not heard of yet. */
export interface PendingSignOutRecord {
  readonly key: 'pending-sign-out'
}

type DeviceRecord = IdentityRecord | PendingSignOutRecord

export class DeviceDb extends Dexie {
  declare readonly records: Table<DeviceRecord, DeviceRecord['key']>

  constructor() {
    super('stint', { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ records: 'key' })
  }

  /** Who was signed in last, or undefined. */
  async identity(): Promise<IdentityRecord | undefined> {
    const record = await this.records.get('identity')
    return record?.key === 'identity' ? record : undefined
  }
}
