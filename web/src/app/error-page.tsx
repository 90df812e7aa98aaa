import type { ReactNode } from 'react'
import { Link, useNavigate } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Wordmark } from '#ui/mark.tsx'
import { useAuth } from '#hooks/use-auth.ts'
import { useServerInfo } from '#hooks/use-server-info.ts'

/** The page for an unknown address. Who is signed in keeps the navigation around it. */
export function NotFoundPage() {
  const isSignedIn = useAuth().status === 'signed-in'
  return (
    <FailedPage title={t('Page Not Found')} isInLayout={isSignedIn}>
      <p className="text-quiet">{t("The page you're looking for doesn't exist.")}</p>
    </FailedPage>
  )
}

/** The page for a screen that threw or could not be loaded. */
export function ErrorPage({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : String(error)
  return (
    <FailedPage title={t('Oops! Something Went Wrong')}>
      <p className="text-quiet">{t('An unexpected error occurred. Please try again.')}</p>
      {message !== '' && (
        <p className="rounded-control bg-wash px-3 py-2 text-sm break-words">{message}</p>
      )}
    </FailedPage>
  )
}

function FailedPage({
  title,
  isInLayout = false,
  children,
}: {
  title: string
  /** Whether the layout is around it. */
  isInLayout?: boolean
  children: ReactNode
}) {
  const navigate = useNavigate()
  const supportEmail = useServerInfo()?.supportEmail ?? ''

  const page = (
    <>
      <title>{`${title} · Stint`}</title>
      {!isInLayout && <Wordmark />}
      <div className="flex flex-col gap-2">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={goBack}>
          {t('Go Back')}
        </Button>
        {isInLayout && (
          <Link to="/dashboard" className={buttonClasses()}>
            {t('Dashboard')}
          </Link>
        )}
        <a
          href={
            supportEmail === '' ? `${import.meta.env.BASE_URL}#contact` : `mailto:${supportEmail}`
          }
          className={buttonClasses()}
        >
          {t('Contact Support')}
        </a>
      </div>
    </>
  )
  if (isInLayout)
    return <div className="flex max-w-md flex-col items-start gap-6 py-10">{page}</div>
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-6 px-4 py-10">
      {page}
    </main>
  )

  /** Goes one step back, or to the start page when the tab has no history. */
  function goBack() {
    if (hasHistory()) history.back()
    else navigate('/', { replace: true })
  }
}

/** Returns whether this tab has an earlier page to go back to. */
function hasHistory(): boolean {
  return 'navigation' in window ? window.navigation.canGoBack : history.length > 1
}
