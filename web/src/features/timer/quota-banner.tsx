import { Link } from 'react-router'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { counted } from '#ui/counted.ts'
import { useOverQuota } from '#session/signed-in.ts'
import { useSyncStatus } from './api/use-sync-status.ts'

/** What the server took no more of, why, and what to do. It is kept here until there is room. */
export function QuotaBanner() {
  const { retry } = useSyncStatus()
  const count = useOverQuota()
  if (count === 0) return null
  return (
    <div className="mb-6 print:hidden">
      <Banner
        action={
          <Button size="small" onClick={retry}>
            Retry
          </Button>
        }
      >
        Your storage on this server is used up. {counted(count, 'change')}{' '}
        {count === 1 ? 'is' : 'are'} kept on this device only.{' '}
        <Link to="/data" className="font-semibold underline">
          Export your data
        </Link>{' '}
        and ask whoever runs this server for more room. Then press Retry.
      </Banner>
    </div>
  )
}
