/** The line that a page suggests: the name of the work, as its title and address say it, and a tag. */
import { storedText } from '@stint/core/stored-text.ts'

import { SITES } from '#sites.ts'

/** A page in the browser. */
export interface OpenPage {
  readonly url: string
  readonly title: string
}

/** What a page suggests. */
export interface Suggestion {
  /** The name of a task. */
  readonly name: string
  /** Without '#'; '': none. */
  readonly tag: string
}

/** As long as the name of a task may be. */
const MAX_NAME = 255
/** More of a title or a selection is not read. */
const MAX_READ = 2_000
const MAX_TAG = 40

/** Marks before a title that say what has changed: '(3) ', '● '. */
const NEWS = /^(?:\(\d+\+?\)|[●•*✳]|\[\d+\])\s+/u

/** Returns what a page suggests, or null for a page of the browser itself and one without a title. */
export function suggestionFor({ url, title }: OpenPage): Suggestion | null {
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) return null
  const clean = onOneLine(title).replace(NEWS, '')
  const { host, pathname, search } = address
  for (const site of SITES) {
    const place = site.address.exec(host + pathname + search)
    const words = place && site.title.exec(clean)
    if (!words) continue
    const groups = { ...place.groups, ...words.groups }
    const name = nameOf(filled(site.name, groups))
    return name === '' ? null : { name, tag: tagOf(filled(site.tag, groups)) }
  }
  const name = nameOf(withoutSite(clean, host))
  return name === '' ? null : { name, tag: '' }
}

/** Returns a suggestion as a line: 'ACME-1234 Fix login #acme'. */
export function lineOf({ name, tag }: Suggestion): string {
  return tag === '' ? name : `${name} #${tag}`
}

/** Returns a text as the name of a task: on one line, without signs that would be a tag or a category, cut to 255 characters. */
export function nameOf(text: string): string {
  const plain = onOneLine(text).replaceAll(/(?<!\S)(?:#(?=[^\s\d])|@)/gu, '')
  return storedText(plain, MAX_NAME).trimEnd()
}

function onOneLine(text: string): string {
  return text
    .slice(0, MAX_READ)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function filled(template: string, groups: Readonly<Record<string, string | undefined>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? '')
}

/** Returns a text as a tag: 'Site relaunch' is 'site-relaunch'. One without a letter is none. */
function tagOf(text: string): string {
  const tag = text
    .normalize()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .slice(0, MAX_TAG)
    .replaceAll(/^-+|-+$/g, '')
  return /\p{L}/u.test(tag) ? tag : ''
}

/** Returns a title without the name of its site at the end, if the host has that: 'Hours | Acme' at acme.com. */
function withoutSite(title: string, host: string): string {
  const [, rest, site = ''] = /^(.+) [-–—|·:] ([^-–—|·:]+)$/u.exec(title) ?? []
  const letters = site.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  const isSite = letters !== '' && host.replaceAll(/[^\p{L}\p{N}]/gu, '').includes(letters)
  return rest !== undefined && isSite ? rest : title
}
