/**
 * Texts for people, in their language. The English text stands in the code, in ICU's MessageFormat;
 * `locales/` has the others. A build of the web app is in one language: `scripts/texts/compile.ts`
 * replaces each call of `t` by the finished text, so that neither catalogues nor a formatter are
 * loaded. Outside a build, in tests and on the server, `t` is English.
 */
import { IntlMessageFormat } from 'intl-messageformat'

export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
}

export type TextValues = Readonly<Record<string, string | number>>

// Vite replaces it in a build.
declare const STINT_LANGUAGE: Language | undefined

/** The language of this build; English where there is none. */
export const LANGUAGE: Language = typeof STINT_LANGUAGE === 'undefined' ? 'en' : STINT_LANGUAGE

/**
 * Returns a text in the language of the build.
 * @param message the English text, a literal: 'Stopped {task}', or '{count, plural, one {# session}
 * other {# sessions}}'. A context before a bar is not shown, and tells two translations of one
 * English text apart: 'verb|Start'.
 * @param values the placeholders' values. A number for '#' or '{count, number}' is grouped.
 */
export function t(message: string, values?: TextValues): string {
  return formatText(message, values, 'en')
}

/** Formats a message of any language; for the server, which speaks to many people. */
export function formatText(
  message: string,
  values: TextValues | undefined,
  language: Language,
): string {
  const text = message.replace(CONTEXT, '')
  if (!/[{'<]/.test(text)) return text
  // A tag such as <link> stays as it is written: the screen splits the text at it.
  return String(
    new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(values),
  )
}

/**
 * Returns a `t` of another language, for texts that are not compiled: mails and the manifest. What
 * the catalogue lacks is English.
 */
export function translator(
  language: Language,
  catalogue: Readonly<Record<string, string>>,
): typeof t {
  return (message, values) => formatText(catalogue[message] || message, values, language)
}

/** A context: words in small letters before a bar. */
export const CONTEXT = /^[a-z][a-z ]*\|/

/**
 * Returns the plural category of a count, such as 'one' or 'other'. Compiled texts call it. English
 * needs no Intl, which costs a page time when it is first used.
 */
export function pluralOf(count: number): Intl.LDMLPluralRule {
  if (LANGUAGE === 'en') return count === 1 ? 'one' : 'other'
  return (rules ??= new Intl.PluralRules(LANGUAGE)).select(count)
}
let rules: Intl.PluralRules | undefined

/** Returns the language that suits best, of a person's languages in their order of preference. */
export function bestLanguage(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const found = LANGUAGES.find((language) => language === each.toLowerCase().split('-', 1)[0])
    if (found) return found
  }
  return 'en'
}
