/**
 * Returns the key that was meant. For another script, it is the Latin letter in the same place. A
 * letter is lower case unless Shift is held, whatever the state of Caps Lock.
 */
export function letterOf({
  key,
  code,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  const meant = key.length === 1 && key > '~' ? code.replace(/^Key/, '') : key
  return shiftKey && /^[a-z]$/i.test(meant) ? meant.toUpperCase() : meant.toLowerCase()
}
