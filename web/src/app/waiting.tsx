/** What stands in for a screen that cannot be there yet. */
import { Loading } from '#ui/spinner.tsx'

/** While it is not known who is signed in (spec 2: Layout rules). */
export function LoadingPage() {
  return (
    <main>
      <Loading text="Loading..." fullPage />
    </main>
  )
}

/** The browser gives no storage, without which nothing can be kept safe. */
export function NoStoragePage({ message }: { message: string }) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-120 content-center gap-4 p-6">
      <h1 className="text-xl font-semibold">Stint cannot use this browser’s storage</h1>
      <p>
        Stint keeps your running timer and your times in this browser before it sends them, so that
        a crash loses nothing. Here it may not: the storage is blocked, full, or damaged. What is
        saved on the server is safe.
      </p>
      <p className="text-quiet">{message}</p>
      <p>
        Allow storage for this site, or use a window that is not private, and load the page again.
      </p>
    </main>
  )
}
