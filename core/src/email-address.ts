/** How e-mail addresses are compared. Every address passes `normalizedEmail` before it is stored or looked up. */

/**
 * Returns the form in which an address is stored and compared: without white space around it, A to Z as a to z, and all
 * else byte for byte. Other letters are not folded, because different people would become one: the Kelvin sign
 * U+212A has the lower case k.
 */
export function normalizedEmail(text: string): string {
  return text.trim().replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * Returns the form in which earlier versions stored an address: in the lower case of every alphabet. Two people may share
 * it, so it proves nothing about who somebody is.
 */
export function formerEmail(text: string): string {
  return text.trim().toLowerCase()
}
