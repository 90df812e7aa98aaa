/**
 * The oldest browsers whose CSS is written out as it is: those with `light-dark()`, since May 2024.
 * For older ones it would be rewritten into twice as much, and themes could not be nested.
 */
export const CSS_TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5']
