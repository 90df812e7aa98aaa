import { useEffect } from 'react'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { keepTimerShown } from '#hooks/timer-notification.ts'
import { useSession } from '#session/current-session.ts'
import { sendPresses } from '#session/told-device.ts'

/** Keeps the notification of the timer on this device, and has presses sent that could not be sent before. */
export function TimerNotificationKeeper({ userId }: { userId: string }) {
  const session = useSession()
  const { hourCycle } = useSettings()
  const { timeZone } = useDayRule()

  useEffect(() => {
    const send = () => void sendPresses()
    send()
    addEventListener('online', send)
    return () => removeEventListener('online', send)
  }, [])

  useEffect(() => {
    const keep = async () =>
      keepTimerShown(userId, await session.account(), { hourCycle, timeZone })
    // Without a network, or a permission that was withdrawn, the next start does it.
    keep().catch(() => undefined)
  }, [session, userId, hourCycle, timeZone])
  return null
}
