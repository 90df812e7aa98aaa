import { SignOutScreen } from '#features/auth/sign-out-screen.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /signout: where a phone's Sign Out leads; any other arrival is asked first. */
export function Component() {
  return (
    <>
      <PageTitle page="Sign Out" />
      <SignOutScreen />
    </>
  )
}
