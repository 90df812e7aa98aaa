/** Everything that the signed-in user has, for a file from which it can be restored. */
import { useMemo } from 'react'

import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Prefs } from '@stint/core/settings.ts'

import type { LocalRecord } from '#record/record.ts'
import { useSessionState } from '#session/current-session.ts'
import { useLocalEntries, useLocalTasks, useRecord, useValue } from '#session/signed-in.ts'

export interface Everything {
  /** The id of the account. */
  readonly account: string
  /** Deleted tasks too. */
  readonly tasks: readonly Task[]
  /** Deleted entries too, after the others. */
  readonly entries: readonly TimeEntry[]
  readonly prefs: Prefs
}

/** Returns a function that returns everything as it is at its call. */
export function useEverything(): () => Everything {
  const record = useRecord()
  const account = useAccountId()
  return () => everythingOf(record, account)
}

/** Returns everything as it is, and re-renders when it changes. */
export function useEverythingNow(): Everything {
  const record = useRecord()
  const account = useAccountId()
  const [tasks, entries, prefs] = [useLocalTasks(), useLocalEntries(), useValue('settings')?.prefs]
  return useMemo(() => {
    const deleted = record.view.entries.all().filter(isDeleted)
    return { account, tasks, entries: [...entries, ...deleted], prefs: prefs ?? {} }
  }, [record, account, tasks, entries, prefs])
}

/** Returns the id of the signed-in user's account, '' without one. */
export function useAccountId(): string {
  const state = useSessionState()
  return state.status === 'signed-in' ? state.user.id : ''
}

/** Returns everything that a record has. */
export function everythingOf(record: LocalRecord, account: string): Everything {
  return {
    account,
    tasks: record.tasks(),
    // The others are sorted already, which a hundred thousand of them notice.
    entries: [...record.entries(), ...record.view.entries.all().filter(isDeleted)],
    prefs: record.value('settings')?.prefs ?? {},
  }
}

function isDeleted({ deletedAt }: TimeEntry): boolean {
  return deletedAt !== null
}
