/**
 * The Content-Security-Policy of a page: only files of this server, no inline code. A prerendered
 * page may have an inline style or script; then exactly that text is allowed.
 */
import { createHash } from 'node:crypto'
import { ACTIVITY_WATCH_ORIGIN } from '@stint/core/traces/activity-watch-here.ts'
import type { Config } from '#config.ts'

/** Returns the policy of a page with this HTML. */
export function pagePolicy(html: string, config: Config): string {
  const { host, protocol } = new URL(config.publicUrl)
  // The full address, because 'self' does not cover WebSockets in older versions of Safari.
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
  const directives = [
    "default-src 'none'",
    ["script-src 'self'", ...hashesOf(html, SCRIPTS)].join(' '),
    ["style-src 'self'", ...hashesOf(html, STYLES)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    [
      'connect-src',
      "'self'",
      socket,
      ...(config.readsActivityWatch ? [ACTIVITY_WATCH_ORIGIN] : []),
    ].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ]
  if (protocol === 'https:') directives.push('upgrade-insecure-requests')
  return directives.join('; ')
}

const SCRIPTS = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g
const STYLES = /<style[^>]*>([\s\S]*?)<\/style>/g

function hashesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)]
    .map(([, text = '']) => text)
    .filter((text) => text !== '')
    .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
}
