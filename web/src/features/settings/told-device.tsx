import { useAuth } from '#hooks/use-auth.ts'
import { toldPerson } from '#session/told-device.ts'
import { later } from '#ui/later.tsx'

/** Keeps the notification of the timer on devices that show one. */
export function ToldDevice() {
  const auth = useAuth()
  const userId = auth.status === 'signed-in' ? auth.user.id : null
  return userId !== null && toldPerson() === userId && <Keeper userId={userId} />
}

const Keeper = later(
  async () => (await import('./timer-notification-keeper.tsx')).TimerNotificationKeeper,
)
