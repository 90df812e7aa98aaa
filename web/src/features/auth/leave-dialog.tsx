import { t } from '@stint/core/text.ts'
import { useState } from 'react'

import { trackedAmount } from '#hooks/tracked-amount.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useSession } from '#session/current-session.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useNavigate } from '#ui/navigation.tsx'

/** Asks somebody without an account whether what they tracked stays in this browser. It is deleted only when they say so twice. */
export function LeaveDialog({ open, onCancel }: { open: boolean; onCancel: () => void }) {
  const session = useSession()
  const navigate = useNavigate()
  const { entries } = useEntries()
  const { tasks } = useTasks()
  const { timer } = useTimer()
  const [isDeleting, setIsDeleting] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const isTiming = timer.status !== 'idle'
  const amount = trackedAmount({ sessions: entries.length + Number(isTiming), tasks: tasks.length })

  async function leave(deletes: boolean) {
    setIsBusy(true)
    await session.leaveGuest({ deletes })
    navigate('/', { replace: true })
  }
  function cancel() {
    setIsDeleting(false)
    onCancel()
  }

  return (
    <Dialog
      open={open}
      title={isDeleting ? t('Delete everything on this device?') : t('Leave Stint?')}
      onClose={cancel}
      stacked
      actions={
        isDeleting ? (
          <>
            <Button variant="danger" busy={isBusy} onClick={() => void leave(true)}>
              {t('Delete for good')}
            </Button>
            <Button variant="quiet" disabled={isBusy} onClick={cancel}>
              {t('Cancel')}
            </Button>
          </>
        ) : (
          <>
            <Button variant="primary" busy={isBusy} onClick={() => void leave(false)}>
              {t('Leave, and keep it here')}
            </Button>
            <Button variant="secondary" disabled={isBusy} onClick={() => setIsDeleting(true)}>
              {t('Delete everything…')}
            </Button>
            <Button variant="quiet" disabled={isBusy} onClick={cancel}>
              {t('Cancel')}
            </Button>
          </>
        )
      }
    >
      {isDeleting ? (
        <p>{t('{amount} will be gone. Nobody else has a copy.', { amount })}</p>
      ) : (
        <p>
          {t('{amount} stay in this browser, and are here when you come back.', { amount })}
          {isTiming && ` ${t('The timer goes on meanwhile.')}`}
        </p>
      )}
    </Dialog>
  )
}
