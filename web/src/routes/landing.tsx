import { useAuth, useServerInfo } from '#features/auth/api.ts'
import { InstallGuide } from '#features/install/install-guide.tsx'
import { LandingPage } from '#features/landing/landing-page.tsx'
import type { Reader } from '#features/landing/landing-page.tsx'
import { DEFAULT_SUPPORT_EMAIL, PUBLIC_PAGES } from '#features/landing/pages.ts'
import { SampleActivity, SampleBreakdown, SampleTask } from '#features/landing/pictures.tsx'

/** / (spec 2) for who comes from within the app; everybody else gets the prerendered page. */
export function Component() {
  const { status } = useAuth()
  const supportEmail = useServerInfo()?.supportEmail || DEFAULT_SUPPORT_EMAIL
  return (
    <>
      <title>{PUBLIC_PAGES.landing.title}</title>
      <Landing reader={READERS[status]} supportEmail={supportEmail} />
    </>
  )
}

/** The page with its pictures, as it is prerendered too. */
export function Landing(props: { reader: Reader; supportEmail: string }) {
  return (
    <LandingPage
      {...props}
      pictures={{
        breakdown: <SampleBreakdown />,
        activity: <SampleActivity />,
        task: <SampleTask />,
        install: <InstallGuide />,
      }}
    />
  )
}

const READERS = {
  loading: 'unknown',
  'signed-in': 'signed-in',
  'signed-out': 'signed-out',
  'no-storage': 'signed-out',
} as const
