/** Where the app begins: the backend, the session, the screen. */
import { createRoot } from 'react-dom/client'

import { App } from '#app/app.tsx'
import { createRouter, needsSignIn } from '#app/router.tsx'
import { startSession } from '#sync/start-session.ts'

import './styles.css'

// Only browsers without Temporal pay for it.
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

const session = startSession({ needed: needsSignIn(pathWithinApp()) })
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(<App session={session} router={createRouter()} />)

/** The path without the folder that the app is served from. */
function pathWithinApp(): string {
  return location.pathname.replace(import.meta.env.BASE_URL, '/')
}
