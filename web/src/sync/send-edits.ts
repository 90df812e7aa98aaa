/**
 * Sends the edits of tasks, entries and settings: the difference of each to its base. Entries are
 * sent in batches where the backend supports them. Each sent version is recorded before the call,
 * because a lost answer leaves open whether the backend has received it.
 */
import { sending } from '@stint/core/record/rebase.ts'
import type { ToSend } from '@stint/core/record/unsent.ts'
import {
  entryAttributes,
  entryFromDocument,
  partAttributes,
} from '@stint/core/record/time-entry.ts'
import { fieldsOf, taskAttributes, taskFromDocument } from '@stint/core/record/task.ts'

import { editKey } from '#record/draft.ts'
import type { Draft } from '#record/draft.ts'
import {
  change,
  isEditOf,
  isHeld,
  NO_SETTINGS,
  RULES,
  unsentOf,
  unsentParts,
} from '#record/edits.ts'
import { splitAgain } from '#record/split-again.ts'
import { takeAnswer, takeIn } from '#record/take-in.ts'
import type { Edit, Editable, Kind } from '#record/stored.ts'
import type { DocumentOf } from '#backend/backend.ts'
import {
  asBackendError,
  BackendError,
  isConflict,
  isNotFound,
  isTemporary,
} from '#backend/errors.ts'
import { createOrFind } from '#backend/find-document.ts'

import type { Round } from './context.ts'
import { fetchChanges } from './pull.ts'

/**
 * The largest batch of entries. With the longest notes it still stays under the limit of one
 * megabyte per call.
 */
const MAX_TOGETHER = 400
/** The number of conflicts per round after which the round fails and is retried later. */
const MAX_CONFLICTS = 5
/**
 * The smallest batch. A change of several entries in one step, such as a split, arrives as a whole.
 */
const MIN_TOGETHER = 2
/**
 * The delay in milliseconds after which an unsent edit may be older than a change from another
 * device.
 */
const LATE_MILLISECONDS = 10_000

/** An edit together with the local state of its thing. */
interface Unsent<K extends Kind> {
  readonly edit: Edit<K>
  readonly here: Editable[K]
  readonly parts: ToSend
}

/**
 * Returns the edits to send next: first a new task, the oldest one, and of entries as many as fit into one batch.
 */
export function nextEdits(round: Round, isNewTask: boolean): readonly Edit[] {
  const waiting = round.record.view.edits.all().filter((edit) => !isHeld(edit))
  const createdAt = ({ id }: Edit) => round.record.view.tasks.get(id)?.createdAt ?? 0
  const first = (kind: Kind) =>
    waiting
      .filter((edit) => edit.kind === kind && (!isNewTask || edit.base === null))
      .toSorted((a, b) => createdAt(a) - createdAt(b))
      .slice(0, 1)
  const tasks = first('task')
  if (tasks.length > 0 || isNewTask) return tasks
  const settings = first('settings')
  if (settings.length > 0) return settings
  const together = waiting.filter(({ id }) => !round.alone.has(id))
  return (together.length > 0 ? together : waiting).slice(0, MAX_TOGETHER)
}

/** Sends edits of one kind, or some of them. The rest stays queued. Rejects with BackendError. */
export async function sendEdits(round: Round, edits: readonly Edit[]): Promise<void> {
  const [first] = edits
  if (!first) return
  if (isEditOf('settings', first)) return sendSettings(round, first)
  const kind = isEditOf('task', first) ? 'task' : 'entry'
  if (edits.some((edit) => mayBeOutdated(round, edit))) return askWhatChanged(round, kind)
  if (isEditOf('task', first)) return sendTask(round, first)
  return sendEntries(
    round,
    edits.filter((edit) => isEditOf('entry', edit)),
  )
}

/**
 * Marks edits as refused because the backend will never accept them. They are kept, counted and
 * shown.
 */
export async function refuseEdits(
  { record }: Round,
  edits: readonly Edit[],
  { message, kind }: BackendError,
): Promise<void> {
  const refused = { message, isOverQuota: kind === 'over-quota', isRetried: false }
  await record.takeIn((draft) => {
    for (const each of edits) {
      const edit = draft.edit(each.kind, each.id)
      if (edit) draft.edits.put({ ...edit, refused })
    }
  })
}

/**
 * Returns whether an edit may be older than a change from another device. That applies to an edit
 * that has waited or whose answer was lost. Such an edit must not overwrite the newer change
 * (docs/decisions/0111-edits-are-differences-to-a-base.md).
 */
function mayBeOutdated({ asked, record }: Round, { kind, base, sent, changedAt }: Edit): boolean {
  if (base === null || kind === 'settings' || asked.has(kind)) return false
  const oldest = Math.min(...Object.values(changedAt))
  return sent.length > 0 || record.clock.now() - oldest > LATE_MILLISECONDS
}

/** Pulls the changes of other devices. */
async function askWhatChanged(round: Round, kind: 'task' | 'entry'): Promise<void> {
  round.asked.add(kind)
  const { record } = round
  const ofKind = record.view.edits.all().filter((edit) => isEditOf(kind, edit))
  const times = ofKind.flatMap(({ base, changedAt }) =>
    base === null ? [] : [base.updatedAt, ...Object.values(changedAt)],
  )
  const oldest = Math.min(record.clock.now(), ...times)
  await fetchChanges(round, kind === 'task' ? 'tasks' : 'time_entries', oldest)
}

/**
 * Records the edits as sent, in their current state. Removes an edit that has nothing to send any
 * more.
 */
function claim<K extends Kind>(
  { record }: Round,
  edits: readonly Edit<K>[],
): Promise<readonly Unsent<K>[]> {
  return record.takeIn((draft) =>
    edits.flatMap(({ kind, id }) => {
      const edit = draft.edit(kind, id)
      const here = RULES[kind].get(draft, id)
      if (!edit) return []
      const parts = here === undefined ? [] : unsentParts(edit, here)
      if (here === undefined || parts.length === 0) {
        draft.edits.remove(editKey(edit))
        return []
      }
      const { sent } = sending(RULES[kind].parts, unsentOf(edit), here)
      draft.edits.put({ ...edit, sent })
      return { edit, here, parts }
    }),
  )
}

/** Takes in the answers, in the order in which the edits were sent. */
async function takeAnswers<K extends Kind>(
  { record }: Round,
  unsent: readonly Unsent<K>[],
  answers: readonly Editable[K][],
): Promise<void> {
  await record.takeIn((draft, now) => {
    for (const [index, { edit, here }] of unsent.entries()) {
      const { kind, id, sent } = edit
      const answer = answers[index]
      if (!answer) continue
      // An event may have brought a later change from another device before this answer.
      const isNew = edit.base === null
      if (!isNew || draft.edit(kind, id)?.base) takeAnswer(draft, kind, id, answer)
      if (isNew) {
        // A new thing that already existed came from another device or from an earlier try.
        takeIn(draft, kind, id, answer)
        const isSplit = unsent.some((other) => isOfOneStep(edit, other.edit))
        if (sent.length === 0 && isSplit) putOver(draft, kind, id, { here, answer, now })
      }
    }
    // After a restored backup another device may have saved the whole of a split anew.
    const made = unsent.filter(({ edit }) => edit.base === null).map(({ edit }) => edit.id)
    const wholes = unsent.flatMap(({ edit }) => draft.entries.get(edit.id) ?? [])
    splitAgain(draft, made, wholes, now)
  })
}

/**
 * Returns whether an entry was made in the step that changed the times of the other one, as by a
 * split.
 */
function isOfOneStep(made: Edit, { base, changedAt }: Edit): boolean {
  const madeAt = made.changedAt['times']
  return madeAt !== undefined && base !== null && changedAt['times'] === madeAt
}

/**
 * Handles a thing that two devices made: the second half of a session that both of them split. The
 * times that were sent later win. The first half was sent in the same batch, and there they win as
 * well.
 */
function putOver<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  { here, answer, now }: { readonly here: Editable[K]; readonly answer: Editable[K]; now: number },
): void {
  const { parts, get } = RULES[kind]
  const shown = get(draft, id)
  const others = parts.differing(answer, here).filter((part) => part === 'times')
  if (!shown || others.length === 0 || parts.differing(shown, answer).length > 0) return
  change(draft, kind, id, parts.take(answer, here, others), now)
}

async function sendTask(round: Round, edit: Edit<'task'>): Promise<void> {
  const { backend, userId } = round
  const [unsent] = await claim(round, [edit])
  if (!unsent) return
  const { here, parts } = unsent
  const document =
    parts === 'new'
      ? null
      : await backend.update('tasks', here.id, fieldsOf(here, parts)).catch(nullIfMissing)
  const attributes = taskAttributes(here, userId)
  const saved = document ?? (await createOrFind(backend, 'tasks', here.id, attributes)).document
  await takeAnswers(round, [unsent], [taskFromDocument(saved)])
}

/**
 * Merges the changes into the backend's settings, which can only be saved as a whole. The call is
 * idempotent.
 */
async function sendSettings(round: Round, edit: Edit<'settings'>): Promise<void> {
  const { backend, record } = round
  const [unsent] = await claim(round, [edit])
  if (!unsent) return
  const { here, parts } = unsent
  const names = parts === 'new' ? Object.keys(here) : parts
  const known = await backend.prefs()
  const prefs = { ...known, ...Object.fromEntries(names.map((name) => [name, here[name]])) }
  // A list in the answer is another object with the same contents.
  const isSaved = names.every((name) => JSON.stringify(known[name]) === JSON.stringify(here[name]))
  if (!isSaved) await backend.savePrefs(prefs)
  await record.takeIn((draft) => {
    takeAnswer(draft, 'settings', edit.id, prefs)
    const settings = draft.value('settings') ?? NO_SETTINGS
    draft.putValue({ ...settings, saves: settings.saves + 1 })
  })
}

/**
 * Sends entries. After a conflict, pulls the changes of other devices, and the remaining edits are
 * rebased onto them.
 */
async function sendEntries(round: Round, edits: readonly Edit<'entry'>[]): Promise<void> {
  try {
    await sendOver(round, edits)
  } catch (error) {
    if (!isConflict(error)) throw error
    round.conflicts += 1
    if (round.conflicts > MAX_CONFLICTS) throw new BackendError('failed', 'Others write as well')
    await askWhatChanged(round, 'entry')
  }
}

/**
 * Writes only over the last known state of the backend. Rejects with a conflict when that state has
 * changed.
 */
async function sendOver(round: Round, edits: readonly Edit<'entry'>[]): Promise<void> {
  const isTogether = edits.length >= MIN_TOGETHER && !edits.some(({ id }) => round.alone.has(id))
  if (isTogether && (await sendTogether(round, edits))) return
  for (const { id } of edits) round.alone.add(id)
  // The failed batch changed nothing on the backend, so there is no need to pull before the entries
  // are sent one by one.
  if (isTogether) round.asked.add('entry')
  const [first] = edits
  if (first) await sendAlone(round, first)
}

/** Sends the edits as one batch. Returns true when the backend accepted all of them. */
async function sendTogether(round: Round, edits: readonly Edit<'entry'>[]): Promise<boolean> {
  const { backend, userId } = round
  const unsent = await claim(round, edits)
  if (unsent.length === 0) return true
  const documents = await backend
    .saveTogether(
      'time_entries',
      unsent.map(({ edit, here, parts }) => ({
        id: here.id,
        isNew: parts === 'new',
        data: parts === 'new' ? entryAttributes(here, userId) : partAttributes(here, parts),
        unchangedSince: edit.base?.updatedAt,
      })),
    )
    .catch(async (thrown: unknown) => {
      const error = asBackendError(thrown)
      if (isConflict(error)) await forgetTry(round, unsent)
      if (concernsAll(error) || isConflict(error)) throw error
      // One of the edits is at fault. Sending them one by one shows which.
      return null
    })
  if (!documents) return false
  const byId = new Map(documents.map((document) => [document.$id, entryFromDocument(document)]))
  await takeAnswers(
    round,
    unsent,
    unsent.map(({ here }) => byId.get(here.id) ?? here),
  )
  return true
}

/**
 * Restores the sent versions from before a batch that was refused as a whole, because the backend
 * has none of it.
 */
async function forgetTry({ record }: Round, unsent: readonly Unsent<'entry'>[]): Promise<void> {
  await record.takeIn((draft) => {
    for (const { edit } of unsent) {
      const known = draft.edit(edit.kind, edit.id)
      if (known) draft.edits.put({ ...known, sent: edit.sent })
    }
  })
}

/** Sends one edit, at the rate that the backend allows. */
async function sendAlone(round: Round, edit: Edit<'entry'>): Promise<void> {
  const { pace } = round
  const wait = pace.take()
  if (wait > 0) throw tooSoon(wait)
  const [unsent] = await claim(round, [edit])
  if (!unsent) return
  try {
    const document = await sendEntry(round, unsent)
    await takeAnswers(round, [unsent], [entryFromDocument(document)])
  } catch (thrown) {
    const error = asBackendError(thrown)
    if (error.kind === 'rate-limited') pace.refused(error)
    if (concernsAll(error) || isConflict(error)) throw error
    await refuseEdits(round, [edit], error)
  }
}

async function sendEntry(
  { backend, userId }: Round,
  { edit, here, parts }: Unsent<'entry'>,
): Promise<DocumentOf<'time_entries'>> {
  const all = entryAttributes(here, userId)
  if (parts === 'new') return (await createOrFind(backend, 'time_entries', here.id, all)).document
  const changed = await backend
    .update('time_entries', here.id, partAttributes(here, parts), edit.base?.updatedAt)
    .catch(nullIfMissing)
  // A missing entry is not a deleted one, so it is sent as a whole.
  return changed ?? backend.create('time_entries', here.id, all)
}

/** Returns an error that says in how many milliseconds the next write is due. */
function tooSoon(milliseconds: number): BackendError {
  const rateLimit = { retryAfterSeconds: milliseconds / 1000, limit: null }
  return new BackendError('rate-limited', 'The next write is due later', '', 0, rateLimit)
}

/**
 * Returns whether all other edits would fail with the same error, so that sending each of them is
 * useless.
 */
function concernsAll(error: BackendError): boolean {
  return isTemporary(error) || error.kind === 'signed-out' || error.kind === 'over-quota'
}

function nullIfMissing(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}
