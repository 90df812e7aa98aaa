import { t } from '@stint/core/text.ts'
import { SignOutButton } from '#features/auth/sign-out.tsx'
import { SettingsPage } from '#features/settings/settings-page.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'
import { buttonClasses } from '#ui/button.tsx'

/** /settings: preferences, which are saved as they change and synced to every device. */
export function Component() {
  return (
    <>
      <PageTitle page={t('Settings')} />
      <SettingsPage
        signOutHere={
          <SignOutButton thisDeviceOnly className={buttonClasses()}>
            {t('Sign out this device only')}
          </SignOutButton>
        }
      />
    </>
  )
}
