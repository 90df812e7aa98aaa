/** Renders pages at build time, so that their text needs no JavaScript. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'

import type { PageName } from '@stint/core/screens.ts'
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
  readonly name: PageName
  /** The HTML of its body. */
  readonly body: string
  /** Describes the picture of a shared link. */
  readonly picture: string
}

type RenderedScreen = Omit<RenderedPage, 'description' | 'picture'>

/** Renders the public pages. `supportEmail` is null when the build does not know it. */
export function renderPublicPages(supportEmail: string | null): RenderedPage[] {
  const address = supportEmail ?? DEFAULT_SUPPORT_EMAIL
  return [
    page('index', PUBLIC_PAGES.landing, <Landing reader="unknown" supportEmail={address} />),
    page('terms', PUBLIC_PAGES.terms, <Terms supportEmail={address} />),
    page('privacy', PUBLIC_PAGES.privacy, <Privacy supportEmail={address} />),
  ]
}

function page(name: PageName, texts: PageTexts, content: ReactNode): RenderedPage {
  return { ...texts, name, body: renderToStaticMarkup(content), picture: SHARED_PICTURE }
}

/**
 * Renders the sign-in screens as they look before the app takes over. Their forms are disabled until
 * then, as typed text would be lost.
 */
export function renderSignInScreens(): RenderedScreen[] {
  return [screen('login', <Login />), screen('signup', <Signup />)]
}

function screen(name: 'login' | 'signup', content: ReactNode): RenderedScreen {
  const html = renderToStaticMarkup(<SessionContext value={NOBODY}>{content}</SessionContext>)
  const [, title = 'Stint'] = /<title>(.*?)<\/title>/.exec(html) ?? []
  const body = html
    .replace(/<title>.*?<\/title>/, '')
    .replaceAll('<form', '<form inert=""')
    .replaceAll(/<input(?![^>]* disabled)/g, '<input disabled=""')
  return { name, path: `/${name}`, title, body }
}

/** The session of a first-time visitor. */
const NOBODY: Session = {
  state: { get: () => SIGNED_OUT, subscribe: () => () => undefined },
  start: async () => undefined,
  tryOut: async () => undefined,
  leaveGuest: async () => undefined,
  hasGuest: async () => false,
  guestOffer: async () => null,
  signIn: async () => undefined,
  signInWithPasskey: async () => undefined,
  signUpWithPasskey: async () => undefined,
  signInByProxy: async () => undefined,
  beginProviderSignIn: async () => '',
  signUp: async () => undefined,
  signOut: async () => undefined,
  account: async () => Promise.reject(new Error('Nobody is signed in')),
  changeUser: async () => undefined,
  forgetUser: async () => undefined,
  requestRecovery: async () => undefined,
  resetPassword: async () => undefined,
  verifyEmail: async () => undefined,
  serverInfo: async () => null,
  ownServer: true,
  resetStorage: async () => undefined,
  close: () => undefined,
}
const SIGNED_OUT = { status: 'signed-out' } as const
