/**
 * Texts that are shown in a terminal or a log. Names, notes and answers of other servers may have come from anywhere: a
 * control character moves the cursor or hides what was printed, and a bidirectional override shows a text as another one.
 */

/** Control characters, the line and paragraph separators, and bidirectional embeddings, overrides and isolates. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Returns the text with each unsafe character replaced by U+FFFD, but for tabs and line feeds. */
export function terminalText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => (/[\t\n]/.test(character) ? character : '\uFFFD'))
}

/** Returns the text like `terminalText`, as one line and one column: tabs and line feeds are replaced too. */
export function terminalField(text: string): string {
  return text.replaceAll(UNSAFE, '\uFFFD')
}

/** Returns JSON with each unsafe character escaped, but for the line feeds between its values. It has the same value. */
export function terminalJson(json: string): string {
  return json.replaceAll(UNSAFE, (character) =>
    /[\t\n\r]/.test(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
