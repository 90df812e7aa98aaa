/** The pages shown when no screen can be rendered. */
import { t } from '@stint/core/text.ts'
import { useAuthCommands } from '#features/auth/use-auth-commands.ts'
import { Button } from '#ui/button.tsx'
import { Loading } from '#ui/spinner.tsx'

/** Shown until it is known who is signed in. */
export function LoadingPage() {
  return (
    <main>
      <Loading text={t('Loading...')} place="page" />
    </main>
  )
}

/** Shown when the browser provides no storage. Stint does not run without it, as data could be lost. */
export function NoStoragePage({ message }: { message: string }) {
  const { resetStorage } = useAuthCommands()

  async function reset() {
    await resetStorage()
    location.reload()
  }

  return (
    <main className="mx-auto grid min-h-dvh max-w-120 content-center gap-4 p-6">
      <h1 className="text-xl font-semibold">{t('Stint can’t use this browser’s storage')}</h1>
      <p>
        {t(
          'Stint saves your timer and sessions in this browser before it syncs them, so that a crash loses nothing. This browser’s storage is blocked, full, or damaged. Everything that was synced is safe.',
        )}
      </p>
      <p className="text-quiet">{message}</p>
      <p>
        {t(
          'Allow storage for this site or leave private browsing, then try again. If the storage is damaged, reset it: changes that haven’t synced are lost.',
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => location.reload()}>
          {t('Try Again')}
        </Button>
        <Button onClick={() => void reset()}>{t('Reset local storage')}</Button>
      </div>
    </main>
  )
}
