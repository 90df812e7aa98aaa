/** What both pages of the extension are made of. */
import { Failure } from '#api.ts'
import { text } from '#text.ts'

/** Returns the element of the page with this id. @throws Error if it is another kind of element. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${kind.name} #${id}`)
}

/** Returns one sentence about a failed call. */
export function sentenceOf(failure: unknown, server: string): string {
  if (!(failure instanceof Failure)) throw failure
  const { host } = new URL(server)
  switch (failure.kind) {
    case 'unreachable':
      return text('unreachable', host)
    case 'not-allowed':
      return text('notAllowed', host)
    case 'key':
      return text('keyRefused')
    case 'read-only':
      return text('readOnly')
    case 'no-timer':
      return text('noTimer')
    default:
      return failure.message
  }
}
