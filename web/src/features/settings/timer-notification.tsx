import { MOST_A_DAY } from '@stint/core/focus/while-closed.ts'
import { t } from '@stint/core/text.ts'
import { useCallback, useEffect, useState } from 'react'
import { useAuth } from '#hooks/use-auth.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { hideTimer, notificationState, showTimer } from '#hooks/timer-notification.ts'
import type { Choices, NotificationState } from '#hooks/timer-notification.ts'
import { useSession } from '#session/current-session.ts'
import { Banner } from '#ui/banner.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { SwitchRow } from './controls.tsx'
import { accountErrorText } from './use-account.ts'

const LABEL = t('Show the running timer as a notification on this device')

/** Whether this device shows the running timer as a notification. Only Stint's own server tells devices. */
export function TimerNotification() {
  const auth = useAuth()
  const userId = auth.status === 'signed-in' ? auth.user.id : ''
  const { state, problem, change } = useTimerNotification(userId)
  const { notifications } = useSettings()
  if (state === null || state.kind === 'missing') return null
  if (state.kind === 'not installed') {
    return (
      <LabelledRow
        label={LABEL}
        hint={t('On an iPhone or iPad, add Stint to the home screen first.')}
      >
        {null}
      </LabelledRow>
    )
  }
  const isOn = state.kind === 'on'
  const isBlocked = state.kind === 'off' && state.isBlocked
  return (
    <>
      <SwitchRow
        // A switch that failed shows again what is so.
        key={`${isOn} ${problem}`}
        label={LABEL}
        hint={
          isBlocked
            ? t(
                'Your browser blocks notifications from this site. Allow them in its site settings.',
              )
            : t('With Pause, Resume and Stop, also while Stint is closed.')
        }
        checked={isOn}
        onChange={(on) => void change(on ? { withNames: false, isAsked: false } : null)}
      />
      {isOn && (
        <>
          <SwitchRow
            key={`name ${state.withNames} ${problem}`}
            label={t('With the task’s name')}
            hint={t('Whoever sees the lock screen can read it.')}
            checked={state.withNames}
            onChange={(withNames) => void change({ ...state, withNames })}
          />
          {notifications && (
            <SwitchRow
              key={`asked ${state.isAsked} ${problem}`}
              label={t('Also ask if I’m still working, and remind me')}
              hint={t(
                'After eight hours without a press, and as chosen above. Breaks and targets need Stint open. At most {most} times a day.',
                { most: MOST_A_DAY },
              )}
              checked={state.isAsked}
              onChange={(isAsked) => void change({ ...state, isAsked })}
            />
          )}
        </>
      )}
      {problem !== null && (
        <div className="py-2">
          <Banner>{problem}</Banner>
        </div>
      )}
    </>
  )
}

/** Returns what is so on this device, why the last change failed, and the function that changes it. */
function useTimerNotification(userId: string) {
  const session = useSession()
  const { hourCycle } = useSettings()
  const { timeZone } = useDayRule()
  const [state, setState] = useState<NotificationState | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  // Without an answer nothing can be changed, so nothing is shown until the network is back.
  const look = useCallback(
    () =>
      session
        .account()
        .then((calls) => notificationState(userId, calls))
        .then(setState, () => undefined),
    [session, userId],
  )

  useEffect(() => {
    void look()
    const again = () => void look()
    addEventListener('online', again)
    // A first visit has its worker only after the page.
    if ('serviceWorker' in navigator) void navigator.serviceWorker.ready.then(again)
    return () => removeEventListener('online', again)
  }, [look])

  async function change(wanted: Choices | null) {
    setProblem(null)
    try {
      const calls = await session.account()
      if (wanted === null) await hideTimer(userId, calls)
      else {
        const isAllowed = await showTimer(userId, calls, { hourCycle, timeZone }, wanted)
        if (!isAllowed) setProblem(t('Your browser didn’t allow notifications.'))
      }
    } catch (error) {
      setProblem(t('Couldn’t change the notification. {reason}', { reason: reasonOf(error) }))
    }
    await look()
  }

  return { state, problem, change }
}

function reasonOf(error: unknown): string {
  const isBrowsers = error instanceof DOMException
  return isBrowsers ? t('Your browser’s push service refused.') : accountErrorText(error)
}
