/** The options: which server the extension talks to, with which key. */
import { permissionFor, readAccess, serverAt, storeAccess } from '#access.ts'
import { call, Failure } from '#api.ts'
import { element, sentenceOf } from '#page-parts.ts'
import { fillTexts, text } from '#text.ts'

const form = element('form', HTMLFormElement)
const server = element('server', HTMLInputElement)
const key = element('key', HTMLInputElement)
const disconnectButton = element('disconnect', HTMLButtonElement)
const said = element('said', HTMLParagraphElement)
const problem = element('problem', HTMLParagraphElement)

fillTexts()
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void connect()
})
disconnectButton.addEventListener('click', () => void disconnect())
await fillForm()

/** Shows what is stored. What somebody typed meanwhile stays. */
async function fillForm(): Promise<void> {
  const stored = await readAccess()
  server.value ||= stored?.server ?? ''
  key.value ||= stored?.key ?? ''
  disconnectButton.hidden = stored === null
}

/** Asks for the permission to call the server, tries the key, and keeps both. */
async function connect(): Promise<void> {
  say('', '')
  const origin = serverAt(server.value)
  if (origin === null) return say('', text('serverWrong'))
  // First of all: a browser asks only while it handles the press.
  const isAllowed = await chrome.permissions.request(permissionFor(origin))
  if (!isAllowed) return say('', text('permissionRefused'))
  const access = { server: origin, key: key.value.trim() }
  try {
    const { access: allowed } = await call(access, 'GET keys/current')
    if (allowed !== 'write') throw new Failure('read-only')
  } catch (error) {
    return say('', sentenceOf(error, origin))
  }
  const before = await readAccess()
  await storeAccess(access)
  if (before !== null) await dropPermission(before.server, origin)
  server.value = origin
  disconnectButton.hidden = false
  say(text('connected', new URL(origin).host), '')
}

/** Forgets the server and the key, and gives the permission back. */
async function disconnect(): Promise<void> {
  const before = await readAccess()
  await storeAccess(null)
  if (before !== null) await dropPermission(before.server, null)
  key.value = ''
  disconnectButton.hidden = true
  server.focus()
  say(text('disconnected'), '')
}

/** Gives back the permission to call a server, unless another one needs the same. */
async function dropPermission(dropped: string, kept: string | null): Promise<void> {
  const { origins } = permissionFor(dropped)
  if (kept !== null && permissionFor(kept).origins[0] === origins[0]) return
  // What an administrator has granted cannot be given back, and need not be.
  await chrome.permissions.remove({ origins }).catch(() => false)
}

function say(good: string, bad: string): void {
  said.textContent = good
  problem.textContent = bad
}
