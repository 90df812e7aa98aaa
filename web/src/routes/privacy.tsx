import { useServerInfo } from '#hooks/use-server-info.ts'
import { DEFAULT_SUPPORT_EMAIL, PUBLIC_PAGES } from '#features/landing/pages.ts'
import { Privacy } from '#features/landing/privacy.tsx'

/** /privacy for visitors from within the app. Other visitors get the prerendered page. */
export function Component() {
  return (
    <>
      <title>{PUBLIC_PAGES.privacy.title}</title>
      <Privacy supportEmail={useServerInfo()?.supportEmail || DEFAULT_SUPPORT_EMAIL} />
    </>
  )
}
