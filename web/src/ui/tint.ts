/** One of the ten tints of styles.css as a CSS value: `var(--color-tint-blue)`. */
export function tint(name: string): string {
  return `var(--color-tint-${name})`
}
