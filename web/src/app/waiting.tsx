/** What stands in for a screen that cannot be there yet. */
import { useAuthCommands } from '#features/auth/api.ts'
import { Button } from '#ui/button.tsx'
import { Loading } from '#ui/spinner.tsx'

/** While it is not known who is signed in. */
export function LoadingPage() {
  return (
    <main>
      <Loading text="Loading..." place="page" />
    </main>
  )
}

/** The browser gives no storage, without which nothing can be kept safe. */
export function NoStoragePage({ message }: { message: string }) {
  const { resetStorage } = useAuthCommands()

  async function reset() {
    await resetStorage()
    location.reload()
  }

  return (
    <main className="mx-auto grid min-h-dvh max-w-120 content-center gap-4 p-6">
      <h1 className="text-xl font-semibold">Stint cannot use this browser’s storage</h1>
      <p>
        Stint writes your running timer and your times down in this browser before it sends them, so
        that a crash loses nothing. Here it cannot: the storage is blocked, full, or damaged. What
        is saved on the server is safe.
      </p>
      <p className="text-quiet">{message}</p>
      <p>
        Allow storage for this site, or use a window that is not private, and try again. If the
        storage is damaged, it can be made anew: only work that was not sent yet would be lost.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => location.reload()}>
          Try Again
        </Button>
        <Button onClick={() => void reset()}>Reset local storage</Button>
      </div>
    </main>
  )
}
