import { isRouteErrorResponse, useNavigate, useRouteError } from 'react-router'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Wordmark } from '#ui/mark.tsx'
import { useServerInfo } from '#features/auth/api.ts'
import { isNotFound } from './not-found.ts'

/** Any route error (spec 2: Error page). */
export function ErrorPage() {
  const error = useRouteError()
  const navigate = useNavigate()
  const supportEmail = useServerInfo()?.supportEmail ?? ''
  const notFound = isNotFound(error)
  const message = messageOf(error)
  const title = notFound ? 'Page Not Found' : 'Oops! Something Went Wrong'

  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-6 px-4 py-10">
      <title>{`${title} · Stint`}</title>
      <Wordmark />
      <div className="flex flex-col gap-2">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {notFound ? (
          <p className="text-quiet">The page you&apos;re looking for doesn&apos;t exist.</p>
        ) : (
          <>
            <p className="text-quiet">An unexpected error occurred. Please try again.</p>
            {message !== '' && (
              <p className="rounded-control bg-wash px-3 py-2 text-sm break-words">{message}</p>
            )}
          </>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void goBack()}>
          Go Back
        </Button>
        <a
          href={
            supportEmail === '' ? `${import.meta.env.BASE_URL}#contact` : `mailto:${supportEmail}`
          }
          className={buttonClasses()}
        >
          Contact Support
        </a>
      </div>
    </main>
  )

  /** One step back, or to the start where there is nothing behind (S41). */
  async function goBack() {
    if (hasHistory()) await navigate(-1)
    else await navigate('/', { replace: true })
  }
}

/** Whether there is a page of Stint behind this one, in this tab. */
function hasHistory(): boolean {
  return 'navigation' in window ? window.navigation.canGoBack : history.length > 1
}

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim()
  return error instanceof Error ? error.message : String(error)
}
