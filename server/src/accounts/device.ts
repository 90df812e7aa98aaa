/**
 * Reads the device from a User-Agent, for the list of sign-ins. Names, codes and versions are those
 * of Matomo's device detector, which Appwrite uses. Versions are cut to two numbers, except the
 * engine's.
 */

type Pattern = readonly [name: string, code: string, pattern: RegExp]

/** Names of Windows by the version of its kernel. */
const WINDOWS: Readonly<Record<string, string>> = {
  '10.0': '10',
  '6.4': '10',
  '6.3': '8.1',
  '6.2': '8',
  '6.1': '7',
  '6.0': 'Vista',
  '5.2': 'Server 2003',
  '5.1': 'XP',
}

// Special cases first: an iPhone also has "like Mac OS X", Edge also has "Chrome".
const SYSTEMS: readonly Pattern[] = [
  ['iPadOS', 'IPA', /iPad.+ OS (1[3-9][\d_]*|[2-9]\d[\d_]*)/],
  ['iOS', 'IOS', /(?:iPhone|iPad|iPod).*? OS ([\d_]+)/],
  ['Android', 'AND', /Android ?([\d.]*)/],
  ['Windows', 'WIN', /Windows NT ([\d.]+)/],
  ['Mac', 'MAC', /Mac OS X ([\d_.]+)/],
  ['Chrome OS', 'COS', /CrOS .*Chrome\/([\d.]+)/],
  ['GNU/Linux', 'LIN', /(?:Linux|X11)(?: ([\d.]+))?/],
]
const BROWSERS: readonly Pattern[] = [
  ['Microsoft Edge', 'PS', /Edg(?:e|A|iOS)?\/([\d.]+)/],
  ['Opera Mobile', 'OM', /Mobile.*OPR\/([\d.]+)/],
  ['Opera', 'OP', /OPR\/([\d.]+)/],
  ['Samsung Browser', 'SB', /SamsungBrowser\/([\d.]+)/],
  ['Firefox Mobile iOS', 'F1', /FxiOS\/([\d.]+)/],
  ['Firefox Mobile', 'FM', /(?:Mobile|Tablet);.*Firefox\/([\d.]+)/],
  ['Firefox', 'FF', /Firefox\/([\d.]+)/],
  ['Chrome Mobile iOS', 'CI', /CriOS\/([\d.]+)/],
  ['Chrome Mobile', 'CM', /Android.*Chrome\/([\d.]+)/],
  ['Chromium', 'CR', /Chromium\/([\d.]+)/],
  ['Chrome', 'CH', /Chrome\/([\d.]+)/],
  ['Mobile Safari', 'MF', /(?:iPhone|iPad|iPod).*Version\/([\d.]+).*Safari\//],
  ['Safari', 'SF', /Version\/([\d.]+).*Safari\//],
]
const ENGINES: readonly Pattern[] = [
  ['Blink', '', /Chrome\/([\d.]+)/],
  ['WebKit', '', /AppleWebKit\/([\d.]+)/],
  ['Gecko', '', /rv:([\d.]+).*Gecko/],
]

/** Reads a User-Agent. Missing parts are empty text. */
export function deviceOf(userAgent: string) {
  const system = match(SYSTEMS, userAgent)
  const browser = match(BROWSERS, userAgent)
  const engine = match(ENGINES, userAgent)
  return {
    osCode: system.code,
    osName: system.name,
    osVersion: system.name === 'Windows' ? (WINDOWS[system.version] ?? '') : short(system.version),
    clientType: browser.name === '' ? '' : 'browser',
    clientCode: browser.code,
    clientName: browser.name,
    clientVersion: short(browser.version),
    clientEngine: engine.name,
    clientEngineVersion: engine.version,
    deviceName: deviceName(userAgent, system.name),
    deviceBrand: /iPhone|iPad|Macintosh/.test(userAgent) ? 'Apple' : '',
    deviceModel: /iPhone|iPad/.exec(userAgent)?.[0] ?? '',
  }
}

/** Returns the first two numbers of a version: `17.5` of `17_5_1`. */
function short(version: string): string {
  return version.split(/[._]/).slice(0, 2).join('.')
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
