import { t } from '@stint/core/text.ts'
import { useEffect, useState } from 'react'

import { trackedAmount } from '#hooks/tracked-amount.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useSession } from '#session/current-session.ts'
import type { GuestOffer as Offer } from '#session/session-state.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { showToast } from '#ui/toast.tsx'

/**
 * Adds what was tracked in this browser before the sign-in to the account: by itself to an account without tasks and
 * sessions, else after a question, which is asked once.
 */
export function GuestOffer() {
  const session = useSession()
  const { complete, entries } = useEntries()
  const { status, allTasks } = useTasks()
  const [offer, setOffer] = useState<Offer | null>(null)
  const [state, setState] = useState<'asking' | 'adding' | 'full'>('asking')
  const isKnown = complete && status === 'ready'

  useEffect(() => {
    if (!isKnown) return undefined
    let isMounted = true
    void session.guestOffer().then(async (found) => {
      if (!found || !isMounted) return
      // An interrupted one has added everything already.
      const isEmpty = entries.length === 0 && allTasks.length === 0
      if (!isEmpty && found.sessions + found.tasks > 0) return setOffer(found)
      // Where storage is full, the question says so.
      if (await found.add({ withSettings: isEmpty })) sayAdded(found)
      else setOffer(found)
    })
    return () => {
      isMounted = false
    }
    // The account is looked at once, when it is known what it has.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isKnown, session])

  if (!offer) return null
  const refuse = () => void offer.refuse().then(() => setOffer(null))
  async function add(asked: Offer) {
    setState('adding')
    const isAdded = await asked.add({ withSettings: false }).catch(() => false)
    if (!isAdded) return setState('full')
    setOffer(null)
    sayAdded(asked)
  }
  return (
    <Dialog
      open
      title={questionOf(offer)}
      onClose={refuse}
      actions={
        <>
          <Button variant="primary" busy={state === 'adding'} onClick={() => void add(offer)}>
            {t('Add them')}
          </Button>
          <Button variant="quiet" disabled={state === 'adding'} onClick={refuse}>
            {t('Don’t add')}
          </Button>
        </>
      }
    >
      {state === 'full' && (
        <Banner>
          {t('This browser’s storage is full. Free some space and try again: nothing is lost.')}
        </Banner>
      )}
      <p>
        {t('You tracked {amount} here without an account.', { amount: trackedAmount(offer) })}{' '}
        {t('If you don’t add them, they stay in this browser.')}
      </p>
    </Dialog>
  )
}

function questionOf({ sessions, tasks }: Offer): string {
  if (sessions === 0)
    return t(
      '{count, plural, one {Add the # task of this device to your account?} other {Add the # tasks of this device to your account?}}',
      { count: tasks },
    )
  return t(
    '{count, plural, one {Add the # session of this device to your account?} other {Add the # sessions of this device to your account?}}',
    { count: sessions },
  )
}

function sayAdded(offer: Offer): void {
  if (offer.sessions + offer.tasks === 0) return
  showToast({ text: t('Added from this device: {amount}', { amount: trackedAmount(offer) }) })
}
