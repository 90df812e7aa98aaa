/**
 * Sends edits: the difference of each to its base. Entries are sent in batches where the backend
 * supports them. Each version is recorded before the call, because its answer may be lost.
 */
import {
  entryAttributes,
  entryFromDocument,
  partAttributes,
} from '@stint/core/record/time-entry.ts'
import { fieldsOf, taskAttributes, taskFromDocument } from '@stint/core/record/task.ts'

import { rootOf } from '@stint/core/log/documents.ts'
import { isEditOf, NO_SETTINGS } from '@stint/core/device/edits.ts'
import type { Edit, Refusal } from '@stint/core/device/stored.ts'
import { takeAnswer } from '@stint/core/device/take-in.ts'
import {
  claimEdits,
  oldestBase,
  refuseEdits,
  takeAnswers,
} from '@stint/core/device/unsent-edits.ts'
import type { UnsentEdit } from '@stint/core/device/unsent-edits.ts'
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

/** The smallest batch. A change of several entries in one step, such as a split, arrives as a whole. */
const MIN_TOGETHER = 2
/** The delay in milliseconds after which an unsent edit may be older than a change from another device. */
const LATE_MILLISECONDS = 10_000

/** Sends edits of one kind, or some of them. The rest stays queued. Rejects with BackendError. */
export async function sendEdits(round: Round, edits: readonly Edit[]): Promise<void> {
  const [first] = edits
  if (!first) return
  if (isEditOf('settings', first)) return sendSettings(round, first)
  const kind = isEditOf('task', first) ? 'task' : 'entry'
  if (edits.some((edit) => mayBeOutdated(round, edit))) return askWhatChanged(round, kind)
  if (isEditOf('task', first)) return sendTask(round, first)
  const entries = edits.filter((edit) => isEditOf('entry', edit))
  return sendEntries(round, entries)
}

/**
 * Returns whether an edit has waited, or its answer was lost. It must not overwrite what another device
 * has changed since (docs/decisions/0014-edits-to-a-base.md).
 */
function mayBeOutdated({ asked, record }: Round, { kind, base, sent, changedAt }: Edit): boolean {
  if (base === null || asked.has(kind)) return false
  const oldest = Math.min(...Object.values(changedAt))
  return sent.length > 0 || record.clock.now() - oldest > LATE_MILLISECONDS
}

async function askWhatChanged(round: Round, kind: 'task' | 'entry'): Promise<void> {
  round.asked.add(kind)
  const oldest = oldestBase(round.record.view, kind, round.record.clock.now())
  await fetchChanges(round, kind === 'task' ? 'tasks' : 'time_entries', oldest)
}

async function sendTask(round: Round, edit: Edit<'task'>): Promise<void> {
  const { record, backend, userId } = round
  const [unsent] = await record.takeIn((draft) => claimEdits(draft, [edit]))
  if (!unsent) return
  const { here, parts } = unsent
  const changed =
    parts === 'new'
      ? null
      : await backend.update('tasks', here.id, fieldsOf(here, parts)).catch(nullIfMissing)
  const all = taskAttributes(here, userId)
  const document = changed ?? (await createOrFind(backend, 'tasks', here.id, all)).document
  await record.takeIn((draft) => takeAnswers(draft, [unsent], [taskFromDocument(document)]))
}

/** Merges the changes into the backend's settings, which can only be saved as a whole. */
async function sendSettings(round: Round, edit: Edit<'settings'>): Promise<void> {
  const { backend, record } = round
  const [unsent] = await record.takeIn((draft) => claimEdits(draft, [edit]))
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

/** Writes only over the last known state. When that has changed, pulls it, and the edits are rebased onto it. */
async function sendEntries(round: Round, edits: readonly Edit<'entry'>[]): Promise<void> {
  const isTogether = edits.length >= MIN_TOGETHER && !edits.some(({ id }) => round.alone.has(id))
  try {
    if (isTogether && (await sendTogether(round, edits))) return
    for (const { id } of edits) round.alone.add(id)
    // The failed batch has changed nothing, so nothing needs to be pulled before they are sent one by one.
    if (isTogether) round.asked.add('entry')
    const [first] = edits
    if (first) await sendAlone(round, first)
  } catch (error) {
    if (!isConflict(error)) throw error
    await askWhatChanged(round, 'entry')
  }
}

/**
 * Sends the edits as one batch. Returns false when one of them is at fault, and the backend accepted none. Each entry
 * is sent as a whole: a backend that was restored may lack some, and half of a step must not arrive.
 */
async function sendTogether(round: Round, edits: readonly Edit<'entry'>[]): Promise<boolean> {
  const { record, backend, userId } = round
  const unsent = await record.takeIn((draft) => claimEdits(draft, edits))
  if (unsent.length === 0) return true
  const documents = unsent.map(({ edit, here, parts }) => ({
    id: here.id,
    isNew: parts === 'new',
    data: entryAttributes(here, userId),
    unchangedSince: edit.base?.updatedAt,
  }))
  try {
    const saved = await backend.saveTogether('time_entries', documents)
    if (!saved) return false
    const byId = new Map(saved.map((document) => [document.$id, entryFromDocument(document)]))
    const answers = unsent.map(({ here }) => byId.get(here.id) ?? here)
    await record.takeIn((draft) => takeAnswers(draft, unsent, answers))
    return true
  } catch (thrown) {
    const error = asBackendError(thrown)
    if (concernsAll(error)) throw error
    return false
  }
}

/** Sends one edit, at the rate that the backend allows. */
async function sendAlone(round: Round, edit: Edit<'entry'>): Promise<void> {
  const { record, pace } = round
  const entry = record.view.entries.get(edit.id)
  // The end of a session does not wait behind an import.
  const isUrgent = entry && record.view.sessions.get(rootOf(entry))
  const wait = isUrgent ? 0 : pace.take()
  if (wait > 0) throw tooSoon(wait)
  const [unsent] = await record.takeIn((draft) => claimEdits(draft, [edit]))
  if (!unsent) return
  try {
    const answer = entryFromDocument(await sendEntry(round, unsent))
    await record.takeIn((draft) => takeAnswers(draft, [unsent], [answer]))
  } catch (thrown) {
    const error = asBackendError(thrown)
    if (error.kind === 'rate-limited') pace.refused(error)
    if (concernsAll(error)) throw error
    await record.takeIn((draft) => refuseEdits(draft, [edit], refusalOf(error)))
  }
}

async function sendEntry(
  { backend, userId }: Round,
  { edit, here, parts }: UnsentEdit<'entry'>,
): Promise<DocumentOf<'time_entries'>> {
  const all = entryAttributes(here, userId)
  if (parts === 'new') return (await createOrFind(backend, 'time_entries', here.id, all)).document
  // With a log all is sent: a backend that was restored to an earlier state than the base accepts the write, and
  // fields and log must agree.
  const changed = here.log === null ? partAttributes(here, parts) : all
  const base = edit.base?.updatedAt
  const document = await backend.update('time_entries', here.id, changed, base).catch(nullIfMissing)
  // A missing entry is not a deleted one, so it is sent as a whole.
  return document ?? backend.create('time_entries', here.id, all)
}

/** Returns what is stored with work that the backend will never accept. */
export function refusalOf({ message, kind }: BackendError): Refusal {
  return { message, isOverQuota: kind === 'over-quota', isRetried: false }
}

/** Returns an error that says in how many milliseconds the next write is due. */
function tooSoon(milliseconds: number): BackendError {
  const rateLimit = { retryAfterSeconds: milliseconds / 1000, limit: null }
  return new BackendError('rate-limited', 'The next write is due later', '', 0, rateLimit)
}

/** Returns whether an error is not about one edit alone: others would fail with it, or must wait. */
function concernsAll(error: BackendError): boolean {
  return isTemporary(error) || ['signed-out', 'over-quota', 'conflict'].includes(error.kind)
}

function nullIfMissing(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}
