/** The name of this device on the user's other devices, such as 'Firefox on Linux'. */
import { t } from '@stint/core/text.ts'

// The first match wins: Edge also names Chrome, Chrome also names Safari, and Android also names Linux.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
]

// not translated: the label is stored and compared
const UNKNOWN = 'A browser'

/** Returns a short label for the user agent, in English; 'A browser' when it is unknown. */
export function deviceLabel(userAgent: string): string {
  const browser = firstMatch(BROWSERS, userAgent) ?? UNKNOWN
  const system = firstMatch(SYSTEMS, userAgent)
  return system === null ? browser : `${browser} on ${system}`
}

/** Returns a label of any device in the language of this build. */
export function shownDevice(label: string): string {
  const [name = '', system] = label.split(' on ', 2)
  const browser = name === UNKNOWN ? t('A browser') : name
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}

function firstMatch(patterns: readonly (readonly [RegExp, string])[], text: string): string | null {
  return patterns.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
