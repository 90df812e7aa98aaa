/** The pages that are rendered at build time: their text needs no JavaScript (design 8). */
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { ReactNode } from 'react'

import { DEFAULT_SUPPORT_EMAIL, PUBLIC_PAGES } from '#features/landing/pages.ts'
import type { PageTexts } from '#features/landing/pages.ts'
import { Privacy } from '#features/landing/privacy.tsx'
import { Terms } from '#features/landing/terms.tsx'
import { Landing } from '#routes/landing.tsx'

export interface RenderedPage extends PageTexts {
  /** Its file in the build, without '.html'. */
  readonly name: string
  /** The markup of its body. */
  readonly body: string
}

/**
 * Renders the public pages. `base` is the folder that the app is served from, '/' or '/stint/';
 * `supportEmail` is null where the build does not know it.
 */
export function renderPublicPages(base: string, supportEmail: string | null): RenderedPage[] {
  const address = supportEmail ?? DEFAULT_SUPPORT_EMAIL
  return [
    page('index', PUBLIC_PAGES.landing, <Landing reader="unknown" supportEmail={address} />),
    page('terms', PUBLIC_PAGES.terms, <Terms supportEmail={address} />),
    page('privacy', PUBLIC_PAGES.privacy, <Privacy supportEmail={address} />),
  ]

  function page(name: string, texts: PageTexts, content: ReactNode): RenderedPage {
    const location = `${base.replace(/\/$/, '')}${texts.path}`
    const body = renderToStaticMarkup(
      <StaticRouter basename={base} location={location}>
        {content}
      </StaticRouter>,
    )
    return { ...texts, name, body }
  }
}
