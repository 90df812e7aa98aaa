/** What was typed over a page and not started: a popup closes at the next click beside it. */

const DRAFT = 'draft'

/** Keeps what is typed over the page of this address; nothing typed keeps nothing. */
export async function storeDraft(line: string, url: string): Promise<void> {
  if (line.trim() === '') await forgetDraft()
  else await chrome.storage.local.set({ [DRAFT]: { line, url } })
}

/** Returns what was typed over the page of this address, or null. */
export async function readDraft(url: string): Promise<string | null> {
  const stored: unknown = (await chrome.storage.local.get(DRAFT))[DRAFT]
  const draft = Object(stored)
  return typeof draft.line === 'string' && draft.url === url ? draft.line : null
}

/** Forgets it, when it is started. */
export async function forgetDraft(): Promise<void> {
  await chrome.storage.local.remove(DRAFT)
}
