/** Renders pages at build time, so that their text needs no JavaScript. */
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { ReactNode } from 'react'

import { DEFAULT_SUPPORT_EMAIL, PUBLIC_PAGES, SHARED_PICTURE } from '#features/landing/pages.ts'
import type { PageTexts } from '#features/landing/pages.ts'
import { Privacy } from '#features/landing/privacy.tsx'
import { Terms } from '#features/landing/terms.tsx'
import { Landing } from '#routes/landing.tsx'
import { Component as Login } from '#routes/login.tsx'
import { Component as Signup } from '#routes/signup.tsx'
import { SessionContext } from '#session/current-session.ts'
import type { Session } from '#session/session.ts'

export interface RenderedPage extends PageTexts {
  /** The name of its file in the build, without '.html'. */
  readonly name: string
  /** The HTML of its body. */
  readonly body: string
  /** Describes the picture of a shared link. */
  readonly picture: string
}

/**
 * Renders the public pages. `base` is the folder from which the app is served, '/' or '/stint/'.
 * `supportEmail` is null when the build does not know it.
 */
export function renderPublicPages(base: string, supportEmail: string | null): RenderedPage[] {
  const address = supportEmail ?? DEFAULT_SUPPORT_EMAIL
  return [
    page('index', PUBLIC_PAGES.landing, <Landing reader="unknown" supportEmail={address} />),
    page('terms', PUBLIC_PAGES.terms, <Terms supportEmail={address} />),
    page('privacy', PUBLIC_PAGES.privacy, <Privacy supportEmail={address} />),
  ]

  function page(name: string, texts: PageTexts, content: ReactNode): RenderedPage {
    return { ...texts, name, body: markup(base, texts.path, content), picture: SHARED_PICTURE }
  }
}

/**
 * Renders the sign-in screens as they look before the app takes over. Their forms are disabled until
 * then, as typed text would be lost.
 */
export function renderSignInScreens(base: string): Omit<RenderedPage, 'description' | 'picture'>[] {
  return [screen('login', <Login />), screen('signup', <Signup />)]

  function screen(name: string, content: ReactNode) {
    const html = markup(base, `/${name}`, <SessionContext value={NOBODY}>{content}</SessionContext>)
    const [, title = 'Stint'] = /<title>(.*?)<\/title>/.exec(html) ?? []
    const body = html
      .replace(/<title>.*?<\/title>/, '')
      .replaceAll('<form', '<form inert=""')
      .replaceAll(/<input(?![^>]* disabled)/g, '<input disabled=""')
    return { name, path: `/${name}`, title, body }
  }
}

function markup(base: string, path: string, content: ReactNode): string {
  return renderToStaticMarkup(
    <StaticRouter basename={base} location={`${base.replace(/\/$/, '')}${path}`}>
      {content}
    </StaticRouter>,
  )
}

/** The session of a first-time visitor. */
const NOBODY: Session = {
  state: { get: () => SIGNED_OUT, subscribe: () => () => undefined },
  start: async () => undefined,
  signIn: async () => undefined,
  signUp: async () => undefined,
  signOut: async () => undefined,
  account: async () => Promise.reject(new Error('Nobody is signed in')),
  changeUser: async () => undefined,
  forgetUser: async () => undefined,
  requestRecovery: async () => undefined,
  resetPassword: async () => undefined,
  verifyEmail: async () => undefined,
  serverInfo: async () => null,
  resetStorage: async () => undefined,
  close: () => undefined,
}
const SIGNED_OUT = { status: 'signed-out' } as const
