import { SignOutButton } from '#features/auth/sign-out.tsx'
import { SettingsPage } from '#features/settings/settings-page.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'
import { buttonClasses } from '#ui/button.tsx'

/** /settings: what a person may choose; saved as it is chosen, on every device. */
export function Component() {
  return (
    <>
      <PageTitle page="Settings" />
      <SettingsPage
        signOutHere={
          <SignOutButton thisDeviceOnly className={buttonClasses()}>
            Sign out this device only
          </SignOutButton>
        }
      />
    </>
  )
}
