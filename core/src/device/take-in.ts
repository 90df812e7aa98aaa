/**
 * Takes in remote data and rebases local changes onto it
 * (docs/decisions/0111-edits-are-differences-to-a-base.md).
 */
import { answered, isOlder, rebase } from '#record/rebase.ts'
import { isUnconfirmed } from '#record/time-entry.ts'
import type { Parts } from '#record/unsent.ts'

import { carryOverFrom, carryOverLost } from './correct-continuation.ts'
import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { isEditOf, isStopping, keepUnsent, RULES, unsentOf } from './edits.ts'
import {
  asEntries,
  decidedHere,
  entryNews,
  followEntry,
  followNews,
  joinContinuation,
  keepLatePauses,
  keepUndoneStop,
  mergeTimes,
} from './entry-news.ts'
import type { EntryNews } from './entry-news.ts'
import { isNews, noteOverlaps } from './overlaps.ts'
import { compareAgain, isCreatedAgain } from './restored-backend.ts'
import { isLostUndone, keepKnown, lostWork } from './sent-again.ts'
import { takeBackDeletion } from './steps.ts'
import type { Edit, Editable, Kind } from './stored.ts'
import { supersede, supersededParts } from './superseded.ts'

/**
 * Takes in a thing from the backend, from a pull or an event. A part that changed only here stays.
 * Of a part that changed on both sides, the later change stays. An event may arrive late, and an
 * older state changes nothing.
 */
export function takeIn<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  remote: Editable[K],
): void {
  const { parts, get, put } = RULES[kind]
  const known = draft.edit(kind, id)
  const here = get(draft, id)
  // The answer to the stop decides, by what the change was made of.
  if (known && isStopping(draft, id)) return
  // Another device has sent a lost thing again first.
  if (known && isSentAgain(parts, known, here, remote)) {
    draft.edits.remove(editKey(known))
    if (known.base) supersede(draft, kind, id, known.base)
  }
  const entries = asEntries(kind, here, remote)
  if (entries) keepUndoneStop(draft, entries)
  const edit = draft.edit(kind, id)
  if (edit && here !== undefined) return takeInChanged(draft, edit, here, remote)
  if (here !== undefined && (!isOther(parts, here, remote) || isStopping(draft, id, true))) return
  put(draft, id, remote)
  if (here === undefined) return
  if (isOlder(parts, here, remote)) supersede(draft, kind, id, here)
  if (entries) followEntry(draft, entries)
  keepKnown(draft, kind, id, { here, remote, edit: known })
}

/** Takes in a thing of which something was changed here. */
function takeInChanged<K extends Kind>(
  draft: Draft,
  edit: Edit<K>,
  here: Editable[K],
  remote: Editable[K],
): void {
  const { kind, id } = edit
  const { parts, get, put } = RULES[kind]
  const isAgain = edit.base !== null && isCreatedAgain(parts, edit.base, remote)
  if (isAgain) compareAgain(draft, kind)
  if (edit.base && (isAgain || isOlder(parts, edit.base, remote)))
    supersede(draft, kind, id, edit.base)
  // An event of an earlier state decides nothing, even if its times are those of here.
  const isOutdated = edit.base !== null && isOlder(parts, remote, edit.base)
  const news = isOutdated ? null : entryNews(edit, here, remote)
  const continued = news && carryOverFrom(draft, news.edit, news.remote)
  if (continued === 'kept') return
  if (news && takeBackDeletion(draft, news.edit, news.remote))
    return takeIn(draft, kind, id, remote)
  // With the other pauses in it, the change of the times is made of what the backend has.
  const isMerged = edit.base !== null && news !== null && keepLatePauses(draft, news)
  const hasBoth = edit.base !== null && news !== null && mergeTimes(draft, news)
  const base = isMerged ? parts.take(edit.base, remote, ['times']) : edit.base
  const staying = stayingHere(draft, edit, news, { here, remote, isAgain })
  // What continues the session has the presses with which the entry was saved again.
  const at = Number(parts.stamps(remote)?.updatedAt) + 1
  const changedAt = {
    ...staying,
    ...(continued ? { deletion: at } : {}),
    ...(hasBoth ? { times: at } : {}),
  }
  const local = get(draft, id) ?? here
  const { value, unsent } = rebase(parts, { ...unsentOf(edit), base, changedAt }, local, remote)
  put(draft, id, value)
  keepUnsent(draft, edit, unsent)
  if (news) followNews(draft, news, parts.differing(local, value), isAgain)
}

/**
 * Returns when each part was changed here, for the comparison with the time of the remote change. What
 * stays in any case has a later time.
 */
function stayingHere<K extends Kind>(
  draft: Draft,
  { kind, id, base, changedAt }: Edit<K>,
  news: EntryNews | null,
  {
    isAgain,
    ...states
  }: { readonly here: Editable[K]; readonly remote: Editable[K]; readonly isAgain: boolean },
): Edit['changedAt'] {
  const isJoined = news !== null && joinContinuation(draft, news)
  const decided = news ? decidedHere(draft, news) : changedAt
  const stays = isJoined ? {} : decided
  // The backend has lost a later state than the one that another device has sent again.
  const outdated = supersededParts(draft, kind, id, { ...states, base }).filter(
    (part) => part in stays,
  )
  // Or another device, which had not heard of the work, has ended or changed the session with nothing to save.
  // The edit has no base if this device has noticed that the backend had lost the session.
  const isUnheard = isAgain || news?.edit.base === null || 'times' in changedAt
  const isLost = isUnheard && news !== null && lostWork(news.here, news.remote) !== null
  const lost = isLost ? ['times', 'deletion'] : []
  const at = Number(RULES[kind].parts.stamps(states.remote)?.updatedAt) + 1
  return { ...stays, ...Object.fromEntries([...outdated, ...lost].map((part) => [part, at])) }
}

/**
 * Returns whether another device has sent a lost thing again of which nothing was changed here, or at
 * most the note or the task of an entry, or of which the stop was undone.
 */
function isSentAgain<K extends Kind>(
  parts: Parts<Editable[K]>,
  { kind, base, changedAt }: Edit<K>,
  here: Editable[K] | undefined,
  remote: Editable[K],
): boolean {
  const changed = Object.keys(changedAt)
  if (base === null && changed.length === 0) return true
  const entries = asEntries(kind, here, remote)
  if (here === undefined || !entries) return false
  const isUndone = base === null && isLostUndone(entries.here, entries.remote)
  const isDecided = changed.includes('times') || (changed.includes('deletion') && !isUndone)
  return !isDecided && isCreatedAgain(parts, base ?? here, remote)
}

/** Takes in the backend's answer to a sent thing. Later local changes stay. */
export function takeAnswer<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  answer: Editable[K],
): void {
  const { parts, get, put } = RULES[kind]
  const edit = draft.edit(kind, id)
  const here = get(draft, id)
  // An event may already have shown that the thing arrived, and also later changes from other
  // devices.
  if (!edit || here === undefined) {
    const isFirst = kind === 'entry' && isNews(draft, id)
    takeIn(draft, kind, id, answer)
    const entry = isFirst && draft.entries.get(id)
    if (entry) noteOverlaps(draft, [entry], draft.entries.all())
    return
  }
  const { base } = edit
  const isAgain = base !== null && !isOfStop(edit) && isCreatedAgain(parts, base, answer)
  if (isAgain) compareAgain(draft, kind)
  if (base && (isAgain || isOlder(parts, base, answer))) supersede(draft, kind, id, base)
  // Another device may have sent a lost entry again first.
  const entries = base === null ? asEntries(kind, here, answer) : null
  if (entries) carryOverLost(draft, entries.here, entries.remote)
  const { value, unsent } = answered(parts, unsentOf(edit), here, answer)
  put(draft, id, value)
  keepUnsent(draft, edit, unsent)
}

/** Returns whether an edit was made of the entry of a stop that the backend had not confirmed. */
function isOfStop(edit: Edit): boolean {
  return isEditOf('entry', edit) && edit.base !== null && isUnconfirmed(edit.base)
}

/**
 * Returns whether `remote` replaces the local thing. It does not when it is equal to the local
 * thing or older.
 */
function isOther<T>(parts: Parts<T>, here: T, remote: T): boolean {
  const [known, news] = [parts.stamps(here), parts.stamps(remote)]
  // A thing that was saved from here has this device's timestamps until those of the backend
  // arrive.
  const isSameThing = known && news && known.createdAt === news.createdAt
  if (isSameThing && news.updatedAt !== known.updatedAt) return news.updatedAt > known.updatedAt
  return !isSameThing || parts.differing(here, remote).length > 0
}
