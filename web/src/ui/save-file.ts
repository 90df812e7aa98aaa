/** Downloads of generated files. */

/** Downloads `text` as a file called `name`. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the URL only after the click, so it is kept for a minute.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
