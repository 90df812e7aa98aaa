import { t } from '@stint/core/text.ts'
import { SignOutScreen } from '#features/auth/sign-out-screen.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /signout: signs out when it is opened from the bottom bar; otherwise asks first. */
export function Component() {
  return (
    <>
      <PageTitle page={t('Sign Out')} />
      <SignOutScreen />
    </>
  )
}
