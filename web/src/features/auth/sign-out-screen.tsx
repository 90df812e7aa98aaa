import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { Banner } from '#ui/banner.tsx'
import { Loading } from '#ui/spinner.tsx'
import { useTasks } from '#hooks/use-tasks.ts'
import { OWN_NAVIGATION } from '#hooks/own-navigation.ts'
import { useIsGuest } from '#hooks/use-auth.ts'
import { LeaveDialog, SignOutDialog } from './sign-out.tsx'
import { useSignOutFlow } from './use-sign-out-flow.ts'

/**
 * The page /signout. It signs out at once when the app's own Sign Out opened it. Any other arrival (an
 * external link, a typed address, a reload) needs confirmation, as any site can link to it.
 */
export function SignOutScreen() {
  const flow = useSignOutFlow(false)
  const { status } = useTasks()
  const navigate = useNavigate()
  const isOwn = useLocation().state === OWN_NAVIGATION
  const begun = useRef(false)
  // Whether a timer runs is known once the local database is read.
  const known = status !== 'loading'
  const { leave, error } = flow
  const isGuest = useIsGuest()
  const mustAsk = flow.mustAsk || !isOwn || isGuest
  const back = () => navigate('/dashboard', { replace: true })
  const asking = known && mustAsk

  useEffect(() => {
    if (!known || mustAsk || begun.current) return
    begun.current = true
    void leave('keep')
  }, [known, mustAsk, leave])

  return (
    <>
      <h1 className="sr-only">{t('Sign Out')}</h1>
      {error === null && !asking && <Loading text={t('Loading...')} />}
      {error !== null && !asking && <Banner onRetry={() => void leave('keep')}>{error}</Banner>}
      {asking && isGuest && <LeaveDialog open onCancel={back} />}
      {asking && !isGuest && <SignOutDialog open flow={flow} onCancel={back} />}
    </>
  )
}
