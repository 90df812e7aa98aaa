/** Text that can be kept as it is. */

/**
 * The text as every backend takes it: `size` characters at most, and without NUL and halves of
 * surrogate pairs, which a cut in the middle of an emoji leaves. What is refused is never saved.
 */
export function storedText(text: string, size: number): string {
  return text
    .replaceAll('\0', '')
    .slice(0, size)
    .replaceAll(/\p{Surrogate}/gu, '')
}
