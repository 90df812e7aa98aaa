import { useServerInfo } from '#hooks/use-server-info.ts'
import { DEFAULT_SUPPORT_EMAIL, PUBLIC_PAGES } from '#features/landing/pages.ts'
import { Terms } from '#features/landing/terms.tsx'

/** /terms for visitors from within the app. Other visitors get the prerendered page. */
export function Component() {
  return (
    <>
      <title>{PUBLIC_PAGES.terms.title}</title>
      <Terms supportEmail={useServerInfo()?.supportEmail || DEFAULT_SUPPORT_EMAIL} />
    </>
  )
}
