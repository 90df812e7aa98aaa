/**
 * All uses of the product in the simulation: opening a device, presses, and what the screen then
 * shows. When a function of the product changes its form, only this file has to change.
 */
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { editEntry, splitEntry } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { readDocument } from '@stint/core/document.ts'
import { rootOf } from '@stint/core/log/documents.ts'
import { entryIdOf } from '@stint/core/log/projection.ts'

import type { Backend, DocumentEvent, EventHandlers } from '#backend/backend.ts'
import { isCollectionId } from '#backend/config.ts'
import { createServerClock } from '#backend/server-clock.ts'
import { applyChanges, changeTimer, isChangedSince } from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'
import type { Draft, View } from '@stint/core/device/draft.ts'
import {
  answerQuestion,
  discardSession,
  finishSession,
  keepGap,
  resumeSession,
  takeOutGap,
} from '@stint/core/device/questions.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import { changeTask, deleteTask } from '@stint/core/device/tasks.ts'
import { isUnsent } from '@stint/core/device/unsaved.ts'
import * as timer from '@stint/core/device/timer.ts'
import { queueLocks } from '#session/locks.ts'
import { startSync } from '#sync/sync.ts'
import type { Sync } from '#sync/sync.ts'
// Imported here, because a first import during a run takes real time, and that run would differ
// from the next ones.
import 'appwrite'
import '#backend/account-calls.ts'
import '#record/put-aside.ts'

import { allEntries } from '../devices.ts'
import { describeEntry } from './judge.ts'
import { eventsIn } from './heard.ts'
import type { Heard } from './heard.ts'
import type { Question, Shows } from './judge.ts'
import type { Shown } from './ledger.ts'
import type { Server } from './servers.ts'
import { without } from './spans.ts'
import type { Span } from './spans.ts'

export interface Machine {
  readonly database: string
  readonly host: string
  readonly name: string
  /** The name of this page in logs. */
  readonly writer: string
  readonly server: Server
  /** The part of `localStorage` that stores the clock. */
  readonly texts: Map<string, string>
  /** Returns whether the device still runs. A dead one stores nothing. */
  readonly isOn: () => boolean
  readonly wall: () => number
  readonly monotonic: () => number
  /**
   * Returns the error of the wall clock against the true time at a true instant, in milliseconds.
   */
  readonly errorAt: (instant: number) => number
}

/** What a page works with. A planted bug changes it before sync starts. */
export interface Parts {
  readonly record: LocalRecord
  readonly backend: Backend
  readonly userId: string
}

/** A running device: a page of the product with its record and its sync. */
export interface Page extends Parts {
  readonly sync: Sync
  readonly hear: EventHandlers
  /** Returns the server's time as the page estimates it. */
  readonly now: () => number
}

/**
 * Opens the page. `onClock` is called whenever an answer has corrected the page's estimate of the
 * server's clock, `plant` before sync starts.
 */
export async function openPage(
  { database, host, name, writer, server, texts, isOn, wall, monotonic, errorAt }: Machine,
  onClock: () => void,
  plant: (parts: Parts) => void = () => undefined,
): Promise<Page> {
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (isOn()) texts.set(key, text)
    },
  }
  const clock = createServerClock(storage, { wall, monotonic })
  const { userId } = server
  // `Date.now` is the true time here, which the device does not know.
  const sdk = server.backendFor(host, ({ serverTime, sentAt, receivedAt }) => {
    clock.learn({
      serverTime,
      sentAt: sentAt + errorAt(sentAt),
      receivedAt: receivedAt + errorAt(receivedAt),
    })
    if (clock.reading().isSure) onClock()
  })
  const heard = Promise.withResolvers<EventHandlers>()
  const backend: Backend = {
    ...sdk,
    subscribe(handlers) {
      heard.resolve(handlers)
      return { close: () => undefined }
    },
  }
  const record = await openRecord(database, { clock, device: name, writer })
  plant({ record, backend, userId })
  const sync = startSync(record, userId, { backend, clock, withLock: queueLocks() })
  return { record, sync, backend, userId, hear: await heard.promise, now: clock.now }
}

/** Returns the realtime event about a document that was written. */
export function eventOf(
  collection: string,
  action: 'upsert' | 'delete',
  body: unknown,
): DocumentEvent | null {
  if (!isCollectionId(collection)) return null
  const document = readDocument(collection, body)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the document is of that collection
  return document && ({ collection, action, document } as DocumentEvent)
}

export interface ShownTimer extends Shown {
  readonly taskId: string
  readonly startedAt: number
}

export interface ShownBanner {
  readonly text: string
  readonly action: string | null
  /** The id of the session that its button continues, if any. */
  readonly of: string | undefined
}

/** Returns the timer and the banner, as shown. */
export function shownBy(record: LocalRecord): {
  readonly timer: ShownTimer | null
  readonly banner: ShownBanner | null
} {
  return shownIn({ value: (key) => record.value(key) })
}

function shownIn(draft: Pick<Draft, 'value'>): ReturnType<typeof shownBy> {
  const active = draft.value('timer')?.timer
  const banner = draft.value('banner')
  return {
    timer: active
      ? {
          id: active.sessionId,
          isRunning: active.status === 'running',
          worked: without(
            [{ start: active.startedAt, end: 'pausedAt' in active ? active.pausedAt : Infinity }],
            active.pauses.intervals,
          ),
          taskId: active.taskId,
          startedAt: active.startedAt,
        }
      : null,
    banner: banner
      ? { text: banner.text, action: banner.action?.kind ?? null, of: offeredBy(draft) }
      : null,
  }
}

/** Returns the id of the session that the banner offers to continue, if any. */
export function offeredBy(record: Pick<Draft, 'value'>): string | undefined {
  const action = record.value('banner')?.action
  return action?.kind === 'resume' ? action.stopped.sessionId : action?.sessionId
}

/** Returns what the backend has not acknowledged, in words. */
export function unsentBy(record: LocalRecord): string[] {
  const { sessions, edits } = record.view
  const unsent = sessions.all().filter((each) => isUnsent(record.view, each))
  return [
    ...unsent.map(({ id, refused }) => `session ${id}${whyRefused(refused)}`),
    ...edits.all().map(({ kind, id, refused }) => `${kind} ${id}${whyRefused(refused)}`),
  ]
}

function whyRefused(refused: { readonly message: string } | null | undefined): string {
  return refused ? ` (refused: ${refused.message})` : ''
}

/** Returns the questions to the owner on this device. The banner of a failed start is one as well. */
function questionsBy(record: LocalRecord): Question[] {
  return [
    ...(record.value('unfinished')?.sessions ?? []).map(({ id }) => ({ id })),
    ...(record.value('asked')?.questions ?? []).flatMap(({ sessionId, spans }) =>
      spans.map((span) => ({ id: sessionId, span })),
    ),
  ]
}

/** Returns all that the page shows. */
export function showsOf({ record }: Page): Shows {
  const active = record.value('timer')?.timer
  return {
    timer: active ? `${active.sessionId} ${active.status}` : 'none',
    entries: allEntries(record).map((entry) =>
      describeEntry({
        id: entry.id,
        taskId: entry.taskId,
        start: entry.startedAt,
        end: entry.endedAt,
        seconds: entry.durationSeconds,
        note: entry.note,
        isDeleted: entry.deletedAt !== null,
      }),
    ),
    unsent: unsentBy(record),
    overlaps: record.value('overlaps')?.pairs ?? [],
    questions: [...questionsBy(record)],
  }
}

/**
 * The possible presses. Instants are distances from now, so that a wrong clock is wrong here too.
 */
export type Press =
  | { readonly kind: 'start'; readonly taskId: string; readonly id: string; readonly ago: number }
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'dismiss' }
  | { readonly kind: 'move'; readonly ago: number }
  | { readonly kind: 'delete task'; readonly taskId: string }
  | { readonly kind: 'banner' | 'undo stop'; readonly id: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'timer note'; readonly text: string }
  | { readonly kind: 'trim'; readonly share: number }
  | { readonly kind: 'split'; readonly share: number }
  | { readonly kind: 'delete entry' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'card'; readonly answer: 'resume' | 'save' | 'discard' }
  | { readonly kind: 'gap'; readonly answer: 'keep' | 'take out' }

/** The result of a press as the screen shows it, with the events that it has made. */
export interface Done {
  /** The timer as shown when the button was pressed. */
  readonly before: ShownTimer | null
  readonly after: ShownTimer | null
  /** The id of the affected session, entry or card. */
  readonly about: string | null
  /** The events that the press has appended. */
  readonly made: readonly Heard[]
  /** The keys of the events that its device had heard of before. */
  readonly heard: ReadonlySet<string>
  /** The time that the press leaves out, as its screen said. */
  readonly leftOut?: Span
  /** Whether nothing else of the session is saved. */
  readonly isAllLeftOut?: boolean
}

/** The state that a device needs for undo, as its toasts keep it. */
export interface Undoable {
  change: RecordChanges | null
  stopped: ReturnType<typeof timer.stop>
}

/**
 * Presses a button. Resolves once the change is on the disk, with null when there was nothing to
 * press. `onTry` receives the change just before it is written.
 */
export async function press(
  { record }: Page,
  pressed: Press,
  undoable: Undoable,
  onTry: (done: Done) => void,
): Promise<Done | null> {
  return record.write((draft) => {
    const before = shownIn(draft).timer
    const known = new Map(eventsOn(draft).map(({ key, fixed }) => [key, fixed]))
    const did = pressIn(draft, pressed, record, undoable)
    if (!did) return null
    // A note that is typed over an unsent one is the same event.
    const made = eventsOn(draft).filter(({ key, fixed }) => known.get(key) !== fixed)
    for (const { key } of made) known.delete(key)
    const heard = new Set(known.keys())
    const done = { before, after: shownIn(draft).timer, about: null, ...did, made, heard }
    onTry(done)
    return done
  })
}

/** Answers every question that is asked about a session: the time counts. Returns what was asked. */
export async function answerAll({ record }: Page) {
  return record.write((draft) => {
    const questions = draft.value('asked')?.questions ?? []
    for (const question of questions) answerQuestion(draft, question, true)
    return questions
  })
}

/** Returns what the screen would show for a Stop that does nothing. */
export async function forget({ record }: Page): Promise<Done | null> {
  const before = shownBy(record).timer
  return before && { before, after: null, about: before.id, made: [], heard: new Set() }
}

/** Returns the logs of a record, and whose they are. */
export function logsOn({ sessions, entries }: Pick<View, 'sessions' | 'entries'>) {
  return [...sessions.all(), ...entries.all()].filter(({ log }) => log !== null)
}

/** Returns all events in the logs of a record. */
export function eventsOn(view: Pick<View, 'sessions' | 'entries'>): Heard[] {
  const events = new Map<string, Heard>()
  for (const { id, log } of logsOn(view))
    for (const event of eventsIn(id, log)) events.set(event.key, event)
  return [...events.values()]
}

/** Returns the id of the entry that a cut has made, by the key of its event. */
export function partOf(session: string, key: string): string {
  return entryIdOf(session, key.slice(session.length + 1))
}

function pressIn(
  draft: Draft,
  pressed: Press,
  { device }: LocalRecord,
  undoable: Undoable,
): Partial<Done> | null {
  const shown = draft.value('timer')?.timer
  const banner = draft.value('banner')?.action
  switch (pressed.kind) {
    case 'start': {
      const { id, taskId, ago } = pressed
      const task = draft.tasks.get(taskId)
      if (!task || shown?.taskId === taskId) return null
      // Otherwise no task would be left after a while.
      if (!task.isActive) changeTask(draft, taskId, { isActive: true })
      const startedAt = ago > 0 ? { startedAt: draft.now - ago } : {}
      timer.start(draft, { sessionId: id, taskId, device, ...startedAt })
      return { about: id }
    }
    case 'pause':
      if (shown?.status !== 'running') return null
      timer.pause(draft)
      return { about: shown.sessionId }
    case 'resume':
      if (shown?.status !== 'paused') return null
      timer.resume(draft)
      return { about: shown.sessionId }
    case 'stop': {
      if (!shown) return null
      undoable.stopped = timer.stop(draft)
      return { about: shown.sessionId }
    }
    case 'dismiss':
      if (!draft.value('banner')) return null
      timer.dismissBanner(draft)
      return {}
    case 'move': {
      if (!shown || shown.status !== 'running') return null
      const change = { startedAt: draft.now - pressed.ago }
      return changeTimer(draft, shown.sessionId, change) ? { about: shown.sessionId } : null
    }
    case 'timer note':
      if (!shown) return null
      timer.setNote(draft, shown.sessionId, pressed.text)
      return { about: shown.sessionId }
    case 'delete task':
      if (!draft.tasks.get(pressed.taskId)?.isActive) return null
      deleteTask(draft, pressed.taskId)
      return { about: shown?.taskId === pressed.taskId ? shown.sessionId : null }
    case 'banner': {
      const { id } = pressed
      if (banner?.kind === 'track-offline') {
        if (shown) return null
        timer.trackOffline(draft, banner.sessionId)
        return { about: banner.sessionId }
      }
      if (banner?.kind !== 'resume' || shown) return null
      const { stopped, gap } = banner
      timer.resumeStopped(draft, { sessionId: id, stopped, gap, device })
      const about = draft.value('timer')?.timer.sessionId ?? id
      return { about }
    }
    case 'undo stop': {
      const { id } = pressed
      const last = undoable.stopped
      undoable.stopped = null
      if (!last || shown || last.durationSeconds === 0) return null
      timer.resumeStopped(draft, { sessionId: id, stopped: last, gap: 'undo', device })
      const about = draft.value('timer')?.timer.sessionId
      return about ? { about } : null
    }
    case 'card':
      return answerCard(draft, pressed.answer)
    case 'gap': {
      const gap = draft.value('gaps')?.gaps.find((each) => each.sessionId === shown?.sessionId)
      if (!gap) return null
      if (pressed.answer === 'keep') keepGap(draft, gap)
      else takeOutGap(draft, gap, gap.start)
      return { about: gap.sessionId, leftOut: gap }
    }
    case 'undo': {
      const { change } = undoable
      if (!change) return null
      undoable.change = null
      // The toast says that the entry was changed again since.
      if (isChangedSince(draft, change)) return null
      applyChanges(draft, change)
      return { about: change.undo?.[0]?.sessionId ?? change.entries?.[0]?.after.id ?? null }
    }
    case 'note':
    case 'trim':
    case 'split':
    case 'delete entry': {
      const entry = lastEntry(draft)
      const entries = entry ? editsOf(entry, pressed, draft.now, 'part') : []
      if (!entry || entries.length === 0) return null
      undoable.change = applyChanges(draft, { entries })
      const isLeft = (other: TimeEntry) =>
        other.deletedAt === null && rootOf(other) === rootOf(entry)
      const end = entries.find(({ after }) => after.id === entry.id)?.after.endedAt
      const start = pressed.kind === 'trim' ? (end ?? entry.startedAt) : entry.startedAt
      const leftOut = { start, end: entry.endedAt }
      return { about: entry.id, leftOut, isAllLeftOut: !draft.entries.all().some(isLeft) }
    }
  }
}

function answerCard(draft: Draft, answer: 'resume' | 'save' | 'discard'): Partial<Done> | null {
  const session: TimerSession | undefined = draft.value('unfinished')?.sessions[0]
  if (!session) return null
  if (answer === 'resume') resumeSession(draft, session)
  else if (answer === 'save') finishSession(draft, session, session.updatedAt)
  else discardSession(draft, session)
  return { about: session.id, leftOut: { start: session.updatedAt, end: Infinity } }
}

/** Returns the entry for which the forms open: the one that ended last. */
function lastEntry(draft: Draft): TimeEntry | undefined {
  return draft.entries
    .all()
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => b.endedAt - a.endedAt || (a.id < b.id ? 1 : -1))[0]
}

function editsOf(
  entry: TimeEntry,
  pressed: Extract<Press, { kind: 'note' | 'trim' | 'split' | 'delete entry' }>,
  now: number,
  partId: string,
): readonly EntryChange[] {
  const { startedAt, endedAt } = entry
  switch (pressed.kind) {
    case 'note':
      return [editEntry(entry, { note: pressed.text }, now)]
    case 'trim': {
      const end = Math.round(startedAt + (endedAt - startedAt) * pressed.share)
      return end > startedAt + 1000 ? [editEntry(entry, { endedAt: end }, now)] : []
    }
    case 'split': {
      const at = Math.round(startedAt + (endedAt - startedAt) * pressed.share)
      if (entry.durationSeconds < 2 || at <= startedAt || at >= endedAt) return []
      return splitEntry(entry, at, partId, now)
    }
    case 'delete entry':
      return [deleteEntry(entry, now)]
  }
}
