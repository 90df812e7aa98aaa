/**
 * The key that was meant, whatever the keyboard writes: of another script the Latin letter in its
 * place. A letter is small unless Shift is held, whatever Caps Lock makes of it.
 */
export function letterOf({
  key,
  code,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  const meant = key.length === 1 && key > '~' ? code.replace(/^Key/, '') : key
  return shiftKey && /^[a-z]$/i.test(meant) ? meant.toUpperCase() : meant.toLowerCase()
}
