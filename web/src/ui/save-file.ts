/** Hands text to the browser as a file: where it goes is the browser's business and its owner's. */

/** Downloads the text under the name. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has taken what it needs once the click is done with.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
