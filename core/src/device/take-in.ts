/**
 * Takes in remote data and rebases local changes onto it
 * (docs/decisions/0111-edits-are-differences-to-a-base.md).
 */
import { answered, rebase } from '#record/rebase.ts'
import { stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { Parts } from '#record/unsent.ts'
import { turnsOf } from '#timer/presses.ts'
import { workedAfter } from '#timer/timer.ts'
import type { Press } from '#timer/presses.ts'

import { carryOverFrom, continuationId, joinElsewhere } from './continuation.ts'
import type { Draft } from './draft.ts'
import { isEditOf, isStopping, keepUnsent, RULES, unsentOf } from './edits.ts'
import { offerForgotten } from './forgotten.ts'
import { addOffer, offerEnds } from './offers.ts'
import { isNews, noteOverlaps } from './overlaps.ts'
import { isSplitElsewhere, partsAfter, takeBackStep } from './steps.ts'
import type { Edit, Editable, Kind } from './stored.ts'

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
  const edit = draft.edit(kind, id)
  const here = get(draft, id)
  if (edit && here !== undefined) {
    // An event of an earlier state decides nothing, even if its times are those of here.
    const news = isOlder(parts, edit.base, remote) ? null : entryNews(edit, here, remote)
    if (news && carryOverFrom(draft, news.edit, news.remote)) return
    const known = unsentOf(edit)
    let { changedAt } = known
    if (news) changedAt = joinContinuation(draft, news) ? {} : decidedHere(draft, news)
    const { value, unsent } = rebase(parts, { ...known, changedAt }, here, remote)
    put(draft, id, value)
    keepUnsent(draft, edit, unsent)
    const changed: readonly string[] = parts.differing(here, value)
    const isDecided = changed.includes('times') || changed.includes('deletion')
    // A continued session counts the whole time, also the second half of a split.
    const isOver = isDecided || (news && (isSameElsewhere(news) || continuationId(news.remote)))
    // What continues a session that was split first does so without the second half.
    if (news && isOver && continuationId(news.here) === null) takeBackStep(draft, news.edit)
  } else if (here === undefined || (isOther(parts, here, remote) && !isStopping(draft, id, true))) {
    put(draft, id, remote)
    if (here !== undefined) keepKnown(draft, kind, id, { here, remote })
  }
}

/** News of an entry that is edited here. */
interface EntryNews {
  readonly edit: Edit<'entry'>
  readonly here: TimeEntry
  readonly remote: TimeEntry
}

/** Returns the news as those of an entry, or null when the edit is of something else. */
function entryNews(edit: Edit, here: Editable[Kind], remote: Editable[Kind]): EntryNews | null {
  if (!isEditOf('entry', edit)) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the things have the kind of the edit
  return { edit, here: here as TimeEntry, remote: remote as TimeEntry }
}

/**
 * Returns whether another device has given an entry the same times as this one, for example by a
 * split at the same moment.
 */
function isSameElsewhere({ edit: { base, sent, changedAt }, here, remote }: EntryNews): boolean {
  if (base === null || changedAt['times'] === undefined) return false
  const isOther = (known: TimeEntry) => RULES.entry.parts.differing(known, remote).includes('times')
  return !isOther(here) && [base, ...sent].every(isOther)
}

/**
 * Joins the session with which another device continues the same stop. Of two deletions that name
 * what continues the entry, the one that the backend had first counts. Returns whether it was joined.
 */
function joinContinuation(draft: Draft, { here, remote }: EntryNews): boolean {
  const [named, namedThere] = [continuationId(here), continuationId(remote)]
  const isOther = named !== null && namedThere !== null && named !== namedThere
  return isOther && joinElsewhere(draft, named, namedThere)
}

/**
 * Returns when each part was changed here, without the times that lost against a split on another
 * device. A deletion that names what continues the entry stays over one that does not.
 */
function decidedHere(draft: Draft, { edit, here, remote }: EntryNews): Edit['changedAt'] {
  const { base, changedAt } = edit
  if (continuationId(here) !== null && continuationId(remote) === null && remote.deletedAt !== null)
    return { ...changedAt, deletion: remote.updatedAt + 1 }
  const { times: madeAt, ...others } = changedAt
  if (base !== null) return isSplitElsewhere(draft, edit, remote) ? others : changedAt
  // Another device has made the same half of a split. Only the times of that half were decided here.
  const parts = Object.entries(changedAt)
  return Object.fromEntries(parts.filter(([part, at]) => part === 'times' || at !== madeAt))
}

/**
 * Keeps what a device did not know that has sent a thing again, after the backend was restored from a
 * backup: a deletion, a note, a split, and the work of a session that had nothing to save there.
 * Work after the end of either, and work after a lost resume, is offered.
 */
function keepKnown<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  { here, remote }: { readonly here: Editable[K]; readonly remote: Editable[K] },
): void {
  const { parts, put, deletion } = RULES[kind]
  const [known, news] = [parts.stamps(here), parts.stamps(remote)]
  if (!known || !news || news.createdAt <= known.createdAt || isStopping(draft, id)) return
  const part = deletion(here)
  const stays = part !== null && deletion(remote) === null ? [part] : []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the things have this kind
  const [entry, again] = kind === 'entry' ? ([here, remote] as TimeEntry[]) : []
  const halves = entry?.deletedAt === null && again ? partsAfter(draft, entry, again.endedAt) : []
  const isNothing = again !== undefined && again.deletedAt !== null && again.durationSeconds === 0
  const isLost = isNothing && entry?.deletedAt === null && entry.durationSeconds > 0
  if (isLost) stays.push('deletion')
  if (entry?.note && again?.note === null) stays.push('note')
  if (halves.length > 0 || isLost) stays.push('times')
  if (stays.length > 0) {
    put(draft, id, parts.take(remote, here, stays))
    const changedAt = Object.fromEntries(stays.map((each) => [each, news.updatedAt]))
    const unsent = { base: remote, changedAt, sent: [] }
    keepUnsent(draft, { kind, id, refused: null, isHidden: false }, unsent)
  }
  if (entry?.deletedAt !== null || !again) return
  const endedAt = Math.max(...[entry, ...halves].map((each) => each.endedAt))
  offerEnds(draft, { ...stoppedFromEntry(entry), endedAt }, again)
  const later = workedAfter(stoppedFromEntry(entry), again.endedAt)
  if (later.durationSeconds > 0 && again.deletedAt === null)
    addOffer(draft, { why: 'went-on', worked: later })
  if (!stays.includes('times')) offerForgotten(draft, pressesOf(entry), again)
}

/** Returns the presses of a saved session. A pause that lasts until the stop was not resumed. */
function pressesOf(entry: TimeEntry): readonly Press[] {
  const turns = turnsOf({ ...stoppedFromEntry(entry), status: 'running' })
  const { endedAt } = entry
  return [...turns.filter(({ at }) => at < endedAt), { kind: 'stop', at: endedAt }]
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
  const { value, unsent } = answered(parts, unsentOf(edit), here, answer)
  put(draft, id, value)
  keepUnsent(draft, edit, unsent)
}

/** Returns whether `remote` is an earlier state of the same thing than the base. */
function isOlder<T>(parts: Parts<T>, base: T | null, remote: T): boolean {
  const known = base === null ? null : parts.stamps(base)
  const news = parts.stamps(remote)
  return known?.createdAt === news?.createdAt && Number(news?.updatedAt) < Number(known?.updatedAt)
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
