/** Prepares text for storage. */

/**
 * Returns the text in a form that every backend accepts: at most `size` characters, without NUL and
 * without halves of surrogate pairs, which cutting an emoji leaves. A backend refuses the whole
 * document otherwise.
 */
export function storedText(text: string, size: number): string {
  return text
    .replaceAll('\0', '')
    .slice(0, size)
    .replaceAll(/\p{Surrogate}/gu, '')
}
