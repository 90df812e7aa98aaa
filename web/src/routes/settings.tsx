import { SettingsPage } from '#features/settings/settings-page.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /settings: what a person may choose; saved as it is chosen, on every device. */
export function Component() {
  return (
    <>
      <PageTitle page="Settings" />
      <SettingsPage />
    </>
  )
}
