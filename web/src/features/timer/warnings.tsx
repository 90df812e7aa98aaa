import { Link } from 'react-router'
import { useOverQuota, useRecord, useStorageProblem } from '#session/signed-in.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { counted } from '#ui/counted.ts'
import { useSyncStatus } from './api/use-sync-status.ts'

/** What the user must know of the storage, here and on the server, and what to do. */
export function Warnings() {
  return (
    <div className="mb-6 grid gap-2 print:hidden">
      <StorageWarning />
      <QuotaWarning />
    </div>
  )
}

/** This browser stores nothing now, or had deleted what it stored. */
function StorageWarning() {
  const record = useRecord()
  const { unsaved } = useSyncStatus()
  const problem = useStorageProblem()
  switch (problem) {
    case null:
      return null
    case 'unwritten':
      return (
        <Banner>
          This browser’s storage takes nothing: it is full, damaged or deleted.{' '}
          {unsaved === 0
            ? 'Everything is saved on the server.'
            : `Keep this window open: ${only(unsaved)} in this window only.`}{' '}
          Free some disk space; this message goes once your changes are stored.
        </Banner>
      )
    case 'deleted':
      return (
        <Banner tone="notice" onDismiss={() => record.dismissStorageProblem()}>
          This browser deleted Stint’s data on this device. Nothing is lost: Stint stored it again
          from this window.
        </Banner>
      )
  }
}

/** What the server took no more of. It is kept here until there is room. */
function QuotaWarning() {
  const { retry } = useSyncStatus()
  const count = useOverQuota()
  if (count === 0) return null
  return (
    <Banner
      action={
        <Button size="small" onClick={retry}>
          Retry
        </Button>
      }
    >
      Your storage on this server is used up. {only(count)} on this device only.{' '}
      <Link to="/data" className="font-semibold underline">
        Export your data
      </Link>{' '}
      and ask whoever runs this server for more room. Then press Retry.
    </Banner>
  )
}

function only(count: number): string {
  return `${counted(count, 'change')} ${count === 1 ? 'is' : 'are'} kept`
}
