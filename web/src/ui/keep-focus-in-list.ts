/** Long enough to save a change and render it. */
const WATCH_MILLISECONDS = 5_000

/**
 * Keeps the focus in a list when the focused row is about to be removed. The focus moves to the next
 * row, to the previous one after the last row, or to the page after the only row. In the row it moves
 * to the control that is as far from the end. Nothing happens if the row stays or the focus has moved.
 */
export function keepFocusInList(): void {
  const focused = document.activeElement
  const row = focused?.closest('li')
  if (!focused || !row) return
  const rows = [row.nextElementSibling, row.previousElementSibling]
  const place = controlsIn(row).findIndex((control) => control === focused) - controlsIn(row).length
  const page = row.closest<HTMLElement>('[role=dialog], main')
  const watch = new MutationObserver(() => {
    if (focused.isConnected) return
    watch.disconnect()
    if (document.activeElement !== document.body) return
    const left = rows.find((other) => other?.isConnected)
    const controls = left ? controlsIn(left) : []
    const target = controls.at(place) ?? controls[0] ?? page
    target?.focus({ preventScroll: true })
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), WATCH_MILLISECONDS)
}

function controlsIn(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, button')]
}
