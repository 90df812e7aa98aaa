import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { useOverQuota, useRecord, useStorageProblem } from '#session/signed-in.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { useConnection } from '#hooks/use-connection.ts'

/** Warnings about the storage, in this browser and on the server, with the next step. */
export function Warnings() {
  return (
    <div className="mb-6 grid gap-2 print:hidden">
      <StorageWarning />
      <QuotaWarning />
    </div>
  )
}

/** The browser's storage is not writable, or the browser has deleted it. */
function StorageWarning() {
  const record = useRecord()
  const { unsaved } = useConnection()
  const problem = useStorageProblem()
  switch (problem) {
    case null:
      return null
    case 'unwritten':
      return (
        <Banner>
          {t('Stint can’t save to this browser’s storage: it is full, damaged or deleted.')}{' '}
          {unsaved === 0
            ? t('Everything is synced.')
            : t(
                '{count, plural, one {Keep this window open: # change is kept in this window only.} other {Keep this window open: # changes are kept in this window only.}}',
                { count: unsaved },
              )}{' '}
          {t('Free up disk space. This message disappears once your changes are saved.')}
        </Banner>
      )
    case 'deleted':
      return (
        <Banner tone="notice" onDismiss={() => record.dismissStorageProblem()}>
          {t(
            'This browser deleted Stint’s data on this device. Nothing was lost: Stint saved it again from this window.',
          )}
        </Banner>
      )
  }
}

/**
 * Changes that the server rejected for the storage quota. They are kept on this device until there is
 * room.
 */
function QuotaWarning() {
  const { retry } = useConnection()
  const count = useOverQuota()
  if (count === 0) return null
  return (
    <Banner
      action={
        <Button size="small" onClick={retry}>
          {t('Retry')}
        </Button>
      }
    >
      {t('Your storage on this server is used up.')}{' '}
      {t(
        '{count, plural, one {# change is kept on this device only.} other {# changes are kept on this device only.}}',
        { count },
      )}{' '}
      <RichText
        text={t(
          '<link>Export your data</link> and ask your administrator for more storage. Then press Retry.',
        )}
        tags={QUOTA_TAGS}
      />
    </Banner>
  )
}

const QUOTA_TAGS = {
  link: (words: string) => (
    <Link to="/data" className="font-semibold underline">
      {words}
    </Link>
  ),
}
