import { PageHeader } from '#ui/page-header.tsx'
import { Appearance } from '#features/settings/appearance.tsx'
import { PageTitle } from '#features/timer/page-title.tsx'

/** /settings: what a person may choose; saved as it is chosen, on every device. */
export function Component() {
  return (
    <div className="flex flex-col gap-6">
      <PageTitle page="Settings" />
      <PageHeader title="Settings" />
      <Appearance />
    </div>
  )
}
