/**
 * Puts text on the clipboard; returns whether it is there. Browsers keep the clipboard from pages
 * served without TLS, as in a home network: then a field in `place` is copied the old way.
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
    // Deprecated, and the only way there is.
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
