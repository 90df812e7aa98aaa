/**
 * Lines that come from outside: what another app shares, `/dashboard?line=…`, and links `web+stint:?line=…`. They fill
 * the line that starts a timer and start nothing.
 */
import { storedText } from '@stint/core/stored-text.ts'

/** As long as the name of a task. */
const MAX_LINE = 255
/** More is not looked at. */
const MAX_READ = 20_000
/** What a share has (web/manifest.ts). */
const SHARED = ['title', 'text', 'url'] as const
/** What a link of the app's own scheme may ask for. */
const LINKED = ['start', 'stop', 'line'] as const

export interface SharedLine {
  /** On one line, at most 255 characters. */
  readonly line: string
  /** Whether there was more. */
  readonly isCut: boolean
}

/** Returns the line that the address has, or null. A title or an address that the text repeats is left out. */
export function sharedLine(parameters: URLSearchParams): SharedLine | null {
  const [title, text, url] = SHARED.map((name) => onOneLine(parameters.get(name)))
  const parts = [
    text?.startsWith(title ?? '') ? '' : title,
    text,
    text?.includes(url ?? '') ? '' : url,
  ]
  const all = onOneLine(parameters.get('line') ?? parts.join(' '))
  if (all === '') return null
  const line = storedText(all, MAX_LINE).trimEnd()
  return { line, isCut: all.length > MAX_LINE }
}

/** Returns the parameters without a line. */
export function withoutLine(parameters: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(parameters)
  for (const name of ['line', ...SHARED]) rest.delete(name)
  return rest
}

/**
 * Returns the parameters that a link of the scheme web+stint asks for, in the place of the link: 'web+stint:?start=last'
 * is `?start=last`. Null without a link. Of a link that is none of ours nothing is left.
 */
export function linkedParameters(parameters: URLSearchParams): URLSearchParams | null {
  const link = parameters.get('link')
  if (link === null) return null
  const asked = new URLSearchParams(/^web\+stint:[^?#]*\?([^#]*)/i.exec(link)?.[1] ?? '')
  const rest = new URLSearchParams(parameters)
  rest.delete('link')
  for (const name of LINKED) {
    const value = asked.get(name)
    if (value !== null) rest.set(name, value)
  }
  return rest
}

function onOneLine(text: string | null): string {
  return (text ?? '')
    .slice(0, MAX_READ)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
