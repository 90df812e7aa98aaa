/**
 * Copies text to the clipboard; returns whether it succeeded. Browsers block the Clipboard API on pages
 * served without TLS, as in a home network. There a temporary field in `place` is copied instead.
 */
export async function copyText(text: string, place: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(text, place)
  }
}

function copyFromField(text: string, place: HTMLElement): boolean {
  const field = document.createElement('textarea')
  const focused = document.activeElement
  field.value = text
  field.className = 'sr-only'
  place.append(field)
  field.select()
  try {
    // Deprecated, but the only way without the Clipboard API.
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
