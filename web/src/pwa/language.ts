/**
 * The language of this browser. Each language is a build of its own: the server chooses the page by
 * a cookie, and the service worker serves its own language. Changing the language is therefore like
 * an update: another worker is installed and activated, then the page is loaded again.
 */
import type { LanguageSetting } from '@stint/core/settings.ts'
import { bestLanguage, LANGUAGE, LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

const BASE = import.meta.env.BASE_URL
/** The cookie for the server (server/src/site/routes.ts), and a copy that outlives it. */
const COOKIE = 'stint_language'
const COPY = 'stint-language'
const YEAR_SECONDS = 31_536_000

/** Returns the language of the browser itself. */
export function ownLanguage(): Language {
  return bestLanguage(navigator.languages)
}

/** Returns the language of the next page: the one chosen in this browser, else the browser's. */
export function browserLanguage(): Language {
  return choice() ?? ownLanguage()
}

/** Returns the language that a setting of the account means in this browser. */
export function languageOf(setting: LanguageSetting): Language {
  return setting === 'auto' ? browserLanguage() : setting
}

/** Remembers the language of this browser; 'auto' forgets it. */
export function remember(setting: LanguageSetting): void {
  const isAuto = setting === 'auto'
  const age = isAuto ? 0 : YEAR_SECONDS
  const secure = location.protocol === 'https:' ? ';secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- cookieStore is missing on plain http
  document.cookie = `${COOKIE}=${setting};path=${BASE};max-age=${age};samesite=lax${secure}`
  try {
    if (isAuto) localStorage.removeItem(COPY)
    else localStorage.setItem(COPY, setting)
  } catch {
    // Blocked storage: the cookie has it.
  }
}

function choice(): Language | null {
  const [, inCookie] = new RegExp(`(?:^|; )${COOKIE}=(\\w+)`).exec(document.cookie) ?? []
  return LANGUAGES.find((language) => language === (inCookie ?? copy())) ?? null
}

function copy(): string | null {
  try {
    return localStorage.getItem(COPY)
  } catch {
    return null
  }
}

/** Returns the address of a language's service worker. */
export function workerOf(language: Language): string {
  return `${BASE}${language === 'en' ? 'sw.js' : `sw.${language}.js`}`
}

/** Returns whether a worker serves the language of this page. */
export function isOwn(worker: ServiceWorker): boolean {
  return new URL(worker.scriptURL).pathname === workerOf(LANGUAGE)
}

/**
 * Called once when a page has loaded: renews the memory of a choice, and takes the language out of
 * the address. If the server chose another language than that of the worker, the worker follows.
 * Never rejects: without a network everything stays as it is.
 */
export async function keepLanguage(): Promise<void> {
  const chosen = choice()
  if (chosen) remember(chosen)
  const address = new URL(location.href)
  if (address.searchParams.has('language')) {
    address.searchParams.delete('language')
    history.replaceState(history.state, '', address)
  }
  try {
    const active = (await ownRegistration())?.active
    if (!active || isOwn(active) || LANGUAGE !== browserLanguage()) return
    const activate = await installWorker(LANGUAGE)
    await activate()
  } catch {
    // The next page tries again.
  }
}

/** Returns the registration of the service worker; undefined if there is none. */
export async function ownRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration(BASE) : undefined
}

let switching = false

/** Returns whether this page is about to be loaded in another language. */
export function isSwitching(): boolean {
  return switching
}

/**
 * Loads this page again in the language of a setting, if that is another one.
 * @param store is called when nothing can fail for lack of a network any more.
 * @throws Error when the language cannot be loaded; then nothing has changed.
 */
export async function openIn(setting: LanguageSetting, store?: () => Promise<void>): Promise<void> {
  const language = setting === 'auto' ? ownLanguage() : setting
  switching = language !== LANGUAGE
  try {
    const activate = switching ? await prepared(language) : null
    await store?.()
    remember(setting)
    if (!switching) return
    if (await activate?.()) location.reload()
    else location.replace(addressIn(language))
  } catch (error) {
    switching = false
    throw error
  }
}

/** Returns the address of this page in a language, which the service worker leaves to the server. */
function addressIn(language: Language): URL {
  const address = new URL(location.href)
  address.searchParams.set('language', language)
  return address
}

/** Returns a function that makes a language the next page's. Without a worker the server does it. */
async function prepared(language: Language): Promise<() => Promise<boolean>> {
  if (await ownRegistration()) return installWorker(language)
  // The page is not reloaded into the browser's own error page.
  await fetch(BASE, { method: 'HEAD', cache: 'no-store' })
  return async () => true
}

/**
 * Installs the worker of a language. Returns a function that activates it, and returns whether that
 * was done soon: a browser may put it off for minutes while the old worker has work.
 */
async function installWorker(language: Language): Promise<() => Promise<boolean>> {
  const script = workerOf(language)
  const { installing, waiting, active } = await navigator.serviceWorker.register(script, {
    scope: BASE,
    updateViaCache: 'none',
  })
  const next = [installing, waiting, active].find((each) => each?.scriptURL.endsWith(script))
  if (!next) throw new Error('The browser did not install the service worker')
  await reaches(next, ['installed', 'activating', 'activated'])
  return async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    next.postMessage({ type: 'SKIP_WAITING' })
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, SOON_MILLISECONDS, false))
    return Promise.race([reaches(next, ['activated']).then(() => true), late])
  }
}

const SOON_MILLISECONDS = 3_000

/** Resolves when a worker is in one of these states. Rejects if its installation fails. */
async function reaches(
  worker: ServiceWorker,
  states: readonly ServiceWorkerState[],
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (states.includes(worker.state)) resolve()
      else if (worker.state === 'redundant') reject(new Error('The service worker failed'))
    }
    worker.addEventListener('statechange', look)
    look()
  })
}
