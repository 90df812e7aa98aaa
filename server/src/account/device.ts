/** What a User-Agent says about the device, for the list of sessions (contract 4.1). */

export interface Device {
  readonly osCode: string
  readonly osName: string
  readonly osVersion: string
  readonly clientType: string
  readonly clientCode: string
  readonly clientName: string
  readonly clientVersion: string
  readonly clientEngine: string
  readonly clientEngineVersion: string
  readonly deviceName: string
  readonly deviceBrand: string
  readonly deviceModel: string
}

type Pattern = readonly [name: string, code: string, pattern: RegExp]

// The more particular first: an iPhone also says "like Mac OS X", Edge also says "Chrome".
const SYSTEMS: readonly Pattern[] = [
  ['iOS', 'IOS', /(?:iPhone|iPad|iPod).*? OS ([\d_]+)/],
  ['Android', 'AND', /Android ?([\d.]*)/],
  ['Windows', 'WIN', /Windows NT ([\d.]+)/],
  ['Mac', 'MAC', /Mac OS X ([\d_.]+)/],
  ['Chrome OS', 'COS', /CrOS \S+ ([\d.]+)/],
  ['GNU/Linux', 'LIN', /(?:Linux|X11)(?: ([\d.]+))?/],
]
const BROWSERS: readonly Pattern[] = [
  ['Microsoft Edge', 'PS', /Edg(?:e|A|iOS)?\/([\d.]+)/],
  ['Opera', 'OP', /OPR\/([\d.]+)/],
  ['Samsung Browser', 'SB', /SamsungBrowser\/([\d.]+)/],
  ['Firefox', 'FF', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', 'CH', /(?:Chrome|Chromium|CriOS)\/([\d.]+)/],
  ['Safari', 'SF', /Version\/([\d.]+).*Safari\//],
]
const ENGINES: readonly Pattern[] = [
  ['Blink', '', /Chrome\/([\d.]+)/],
  ['WebKit', '', /AppleWebKit\/([\d.]+)/],
  ['Gecko', '', /rv:([\d.]+).*Gecko/],
]

/** Reads a User-Agent; what it does not say is empty text. */
export function deviceOf(userAgent: string): Device {
  const system = match(SYSTEMS, userAgent)
  const browser = match(BROWSERS, userAgent)
  const engine = match(ENGINES, userAgent)
  return {
    osCode: system.code,
    osName: system.name,
    osVersion: system.version.replaceAll('_', '.'),
    clientType: browser.name === '' ? '' : 'browser',
    clientCode: browser.code,
    clientName: browser.name,
    clientVersion: browser.version.split('.').slice(0, 2).join('.'),
    clientEngine: engine.name,
    clientEngineVersion: engine.version,
    deviceName: deviceName(userAgent, system.name),
    deviceBrand: /iPhone|iPad|Macintosh/.test(userAgent) ? 'Apple' : '',
    deviceModel: /iPhone|iPad/.exec(userAgent)?.[0] ?? '',
  }
}

function match(patterns: readonly Pattern[], userAgent: string) {
  for (const [name, code, pattern] of patterns) {
    const found = pattern.exec(userAgent)
    if (found !== null) return { name, code, version: found[1] ?? '' }
  }
  return { name: '', code: '', version: '' }
}

function deviceName(userAgent: string, system: string): string {
  if (system === '') return ''
  if (/iPad|Tablet/.test(userAgent)) return 'tablet'
  return /Mobi|iPhone/.test(userAgent) ? 'smartphone' : 'desktop'
}
