/** Long enough for a change to be saved and shown, in milliseconds. */
const WATCHED = 5_000

/**
 * What has the focus is in a row that is about to go: when it has gone, the next row takes the focus, or
 * the one before the last, or the page where no row is left. Nothing happens if the row stays, or if the
 * focus is somewhere else by then.
 */
export function keepPlace(): void {
  const focused = document.activeElement
  const row = focused?.closest('li')
  if (!focused || !row) return
  const rows = [row.nextElementSibling, row.previousElementSibling]
  const page = row.closest<HTMLElement>('dialog, main')
  const watch = new MutationObserver(() => {
    if (focused.isConnected) return
    watch.disconnect()
    if (document.activeElement !== document.body) return
    const left = rows.find((other) => other?.isConnected)
    const heir = left?.querySelector<HTMLElement>('a, button') ?? page
    heir?.focus({ preventScroll: true })
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), WATCHED)
}
