import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { useConnection } from '#hooks/use-connection.ts'
import { useTimer } from '#hooks/use-timer.ts'

import type { SignOutFlow } from './use-sign-out-flow.ts'

/**
 * Asks for confirmation before signing out: while a timer runs, while changes are unsaved, or when an
 * external link opened /signout.
 */
export function SignOutDialog({
  open,
  flow,
  onCancel,
}: {
  open: boolean
  flow: SignOutFlow
  onCancel: () => void
}) {
  const { timer, taskName } = useTimer()
  const { unsaved } = useConnection()
  const active = timer.status !== 'idle'
  const isPlain = !active && unsaved === 0
  return (
    <Dialog
      open={open}
      title={titleOf(active, unsaved)}
      onClose={onCancel}
      stacked
      actions={
        <>
          {active && (
            <Button variant="primary" busy={flow.leaving} onClick={() => void flow.leave('stop')}>
              {t('Stop and save, then sign out')}
            </Button>
          )}
          <Button
            variant={isPlain ? 'primary' : 'secondary'}
            busy={isPlain && flow.leaving}
            disabled={flow.leaving}
            onClick={() => void flow.leave('keep')}
          >
            {active
              ? t('Keep it running and sign out')
              : isPlain
                ? t('Sign out')
                : t('Sign out anyway')}
          </Button>
          <Button variant="quiet" disabled={flow.leaving} onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </>
      }
    >
      {flow.error !== null && <Banner>{flow.error}</Banner>}
      {active && (
        <p className="line-clamp-2 break-words">
          <RichText
            text={
              timer.status === 'paused' ? t('Paused: <task></task>') : t('Running: <task></task>')
            }
            tags={{
              task: () => (
                <bdi className="font-semibold text-ink">{taskName ?? t('Deleted task')}</bdi>
              ),
            }}
          />
        </p>
      )}
      {(active || isPlain) && (
        <p>
          {flow.thisDeviceOnly
            ? t('Your other devices stay signed in.')
            : t('This signs you out on every device.')}
        </p>
      )}
      {unsaved > 0 && (
        <p>
          {t(
            '{count, plural, one {# change stays on this device and syncs when you sign in here again.} other {# changes stay on this device and sync when you sign in here again.}}',
            { count: unsaved },
          )}
        </p>
      )}
    </Dialog>
  )
}

function titleOf(active: boolean, unsaved: number): string {
  if (active) return t('A timer is still running')
  return unsaved > 0 ? t('Some changes haven’t synced yet') : t('Sign out of Stint?')
}
