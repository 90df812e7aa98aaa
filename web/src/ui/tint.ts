/** Returns the CSS value of a tint in styles.css: `var(--color-tint-blue)`. */
export function tint(name: string): string {
  return `var(--color-tint-${name})`
}
