/**
 * Devices and a backend for tests of core/src/device: what they do with documents, without a network. A
 * write over a document is refused when that has changed since it was read, as the server does.
 */
import { applyChanges } from '#device/changes.ts'
import type { RecordChanges } from '#device/changes.ts'
import { Draft, emptyMemory } from '#device/draft.ts'
import type { Memory } from '#device/draft.ts'
import { isEditOf, isHeld } from '#device/edits.ts'
import { noteQuestions } from '#device/note-asked.ts'
import type { Value } from '#device/stored.ts'
import { pause, resume, resumeStopped, start, stop } from '#device/timer.ts'
import { takeIn, takeInEarlier, takeInSession } from '#device/take-in.ts'
import { claimEdits, takeAnswers } from '#device/unsent-edits.ts'
import {
  acknowledgeSession,
  claimSession,
  entryEditsOf,
  forgetSession,
  nextSession,
  noteMissing,
  stoppedOf,
} from '#device/unsent-sessions.ts'
import { editEntry } from '#record/entry-edit.ts'
import { newTask } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import { ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import type { StoppedTimer } from '#timer/timer.ts'

export const NINE = Date.UTC(2026, 0, 15, 9)
export const MINUTE = 60_000
/** Returns the instant so many minutes after nine. */
export const at = (minutes: number): number => NINE + minutes * MINUTE

/** Returns a draft of a device that has these entries, tasks and values. */
export function draftWith({
  entries = [],
  tasks = [],
  values = [],
}: {
  readonly entries?: readonly TimeEntry[]
  readonly tasks?: readonly Task[]
  readonly values?: readonly Value[]
}): Draft {
  const memory = emptyMemory('here')
  memory.entries.change(new Map(entries.map((entry) => [entry.id, entry]))).apply()
  for (const task of tasks) memory.tasks.set(task.id, task)
  for (const value of values) memory.values.set(value.key, value)
  return new Draft(memory)
}

export class TestBackend {
  readonly sessions = new Map<string, TimerSession>()
  readonly entries = new Map<string, TimeEntry>()
  /** How many documents were written. */
  writes = 0
  #lastWrite = NINE

  /** Returns the time of a write: later than those before. */
  stamp(now: number): number {
    this.writes += 1
    this.#lastWrite = Math.max(now, this.#lastWrite + 1)
    return this.#lastWrite
  }

  /** Another client changes the fields of a session, at a minute after nine, and leaves its log alone. */
  patchSession(
    id: string,
    change: (session: TimerSession) => Partial<TimerSession>,
    minute: number,
  ): void {
    patch(this.sessions, id, change, this.stamp(at(minute)))
  }

  /** Another client changes the fields of an entry, at a minute after nine. */
  patchEntry(id: string, change: (entry: TimeEntry) => Partial<TimeEntry>, minute: number): void {
    patch(this.entries, id, change, this.stamp(at(minute)))
  }

  /** Returns a copy, as a backup is. */
  copy(): TestBackend {
    const copy = new TestBackend()
    for (const [id, session] of this.sessions) copy.sessions.set(id, session)
    for (const [id, entry] of this.entries) copy.entries.set(id, entry)
    copy.#lastWrite = this.#lastWrite
    return copy
  }
}

function patch<T extends object>(
  documents: Map<string, T>,
  id: string,
  change: (document: T) => Partial<T>,
  updatedAt: number,
): void {
  const known = documents.get(id)
  if (!known) throw new Error(`The backend has no document ${id}.`)
  documents.set(id, { ...known, ...change(known), updatedAt })
}

export class TestDevice {
  memory: Memory
  /** The stop that was pressed here last. */
  stopped: StoppedTimer | null = null
  backend: TestBackend
  #sessionsMade = 0

  constructor(name: string, backend = new TestBackend(), trackOffline = true) {
    this.memory = emptyMemory(name)
    this.backend = backend
    for (const id of ['write', 'read', 'call']) this.memory.tasks.set(id, newTask(id, id, NINE))
    this.write(NINE, (draft) =>
      draft.putValue({ key: 'settings', prefs: { trackOffline }, saves: 0 }),
    )
  }

  get view(): Draft {
    return new Draft(this.memory)
  }

  get timer() {
    return this.view.value('timer')?.timer
  }

  /** Returns an entry. Throws when it is not here. */
  entry(id: string): TimeEntry {
    const entry = this.view.entries.get(id)
    if (!entry) throw new Error(`There is no entry ${id}.`)
    return entry
  }

  /** Changes the record, and returns the inverse changes. */
  change(now: number, changes: RecordChanges): RecordChanges {
    return this.write(now, (draft) => applyChanges(draft, changes))
  }

  /** Changes an entry as the editor does, at a minute after nine. */
  edit(id: string, change: Parameters<typeof editEntry>[1], minute: number): void {
    const now = at(minute)
    this.change(now, { entries: [editEntry(this.entry(id), change, now)] })
  }

  get questions() {
    return this.view.value('asked')?.questions ?? []
  }

  write<T>(now: number, change: (draft: Draft) => T): T {
    const draft = new Draft(this.memory)
    draft.now = now
    const seen = draft.value('seen')
    // A device that is awake notes so every minute.
    if (seen) draft.putValue({ ...seen, at: Math.max(seen.at, now) })
    const result = change(draft)
    noteQuestions(draft)
    draft.changes().apply()
    return result
  }

  /** The page is loaded again. */
  reload(writer: string): void {
    this.memory = { ...this.memory, writer }
  }

  start(now: number, taskId = 'write', startedAt = now): string {
    this.#sessionsMade += 1
    const sessionId = `${this.memory.writer}${this.#sessionsMade}`
    const input = { sessionId, taskId, device: this.memory.writer, startedAt }
    const stopped = this.write(now, (draft) => start(draft, input))
    this.stopped = stopped ?? this.stopped
    return sessionId
  }

  pause(now: number): void {
    this.write(now, pause)
  }

  resume(now: number): void {
    this.write(now, resume)
  }

  stop(now: number, endedAt = now): void {
    this.stopped = this.write(now, (draft) => stop(draft, endedAt)) ?? this.stopped
  }

  undoStop(now: number, gap: 'undo' | 'pause' | 'work' = 'undo'): void {
    const { stopped } = this
    if (!stopped) return
    this.#sessionsMade += 1
    const sessionId = `${this.memory.writer}${this.#sessionsMade}`
    const input = { sessionId, stopped, gap, device: this.memory.writer }
    this.write(now, (draft) => resumeStopped(draft, input))
    this.stopped = null
  }

  /** Takes in everything that the backend has, and what it lacks. */
  pull(now: number): void {
    const { sessions, entries } = this.backend
    const known = this.view.sessions.all().filter(({ base }) => base !== null)
    this.write(now, (draft) => {
      for (const session of sessions.values()) takeInSession(draft, session)
      const all = [...entries.values()]
      for (const entry of all.toSorted((a, b) => orderOf(a) - orderOf(b)))
        takeIn(draft, 'entry', entry.id, entry)
      for (const { id } of known) if (!sessions.has(id)) noteMissing(draft, id)
      this.#resendLost(draft)
    })
  }

  /** Sends everything, and meets what others have written. With 'answer', the first answer is lost. */
  send(now: number, lost: 'nothing' | 'answer' = 'nothing'): void {
    for (let tries = 0; tries < 40; tries += 1) {
      const unsent = nextSession(this.view)
      if (unsent) {
        if (this.#sendSession(unsent.session.id, now, lost) === 'lost') return
        continue
      }
      const edits = this.view.edits.all().filter((edit) => isEditOf('entry', edit) && !isHeld(edit))
      if (edits.length === 0) return
      if (
        this.#sendEntries(
          edits.map(({ id }) => id),
          now,
          lost,
        ) === 'lost'
      )
        return
    }
    throw new Error('It is never done with sending.')
  }

  #sendSession(id: string, now: number, lost: string): 'lost' | 'done' {
    const { sessions } = this.backend
    const claimed = this.write(now, (draft) => claimSession(draft, id))
    if (!claimed) return 'done'
    const { session, log, active, isPutAside } = claimed
    const there = sessions.get(id)
    if (there?.updatedAt !== session.base?.updatedAt) {
      this.pull(now)
      return 'done'
    }
    const stopped = stoppedOf(this.view, id)
    const isMarked = there?.state.kind === 'stopped'
    const marked = stopped && there && !isMarked ? ({ kind: 'stopped', stopped } as const) : null
    const state = active ? { ...active, kind: isPutAside ? 'unclear' : active.kind } : marked
    if (state) {
      const stamp = this.backend.stamp(now)
      const device = there?.device ?? this.memory.writer
      const written = {
        id,
        createdAt: there?.createdAt ?? stamp,
        updatedAt: stamp,
        device,
        log,
        state,
      }
      sessions.set(id, written)
      if (lost === 'answer') return 'lost'
      this.write(now, (draft) =>
        active ? acknowledgeSession(draft, written, session.log) : takeInSession(draft, written),
      )
      return 'done'
    }
    const edits = entryEditsOf(this.view, id)
    if (edits.length > 0)
      return this.#sendEntries(
        edits.map((edit) => edit.id),
        now,
        lost,
      )
    sessions.delete(id)
    if (lost === 'answer') return 'lost'
    this.write(now, (draft) => forgetSession(draft, id))
    return 'done'
  }

  #sendEntries(ids: readonly string[], now: number, lost: string): 'lost' | 'done' {
    const { entries } = this.backend
    const wanted = ids.flatMap((id) => this.view.edit('entry', id) ?? [])
    const isOutdated = wanted.some(
      ({ id, base }) => base !== null && entries.get(id)?.updatedAt !== base.updatedAt,
    )
    if (isOutdated) {
      this.pull(now)
      return 'done'
    }
    const claimed = this.write(now, (draft) => claimEdits(draft, wanted))
    const answers = claimed.map(({ edit, here, parts }) => {
      const there = entries.get(edit.id)
      if (parts === 'new' && there) return there
      const stamp = this.backend.stamp(now)
      const known = ENTRY.all(here).filter((part) => parts !== 'new' && parts.includes(part))
      const written =
        there && parts !== 'new'
          ? { ...ENTRY.take(there, here, known), updatedAt: stamp }
          : { ...here, createdAt: stamp, updatedAt: stamp }
      entries.set(edit.id, written)
      return written
    })
    if (lost === 'answer') return 'lost'
    this.write(now, (draft) => takeAnswers(draft, claimed, answers))
    return 'done'
  }

  /** A backend that was restored lacks documents, or has earlier ones. */
  #resendLost(draft: Draft): void {
    const { entries } = this.backend
    for (const here of draft.entries.all()) {
      const edit = draft.edit('entry', here.id)
      const known = edit ? edit.base : here
      const there = entries.get(here.id)
      if (!known || known.updatedAt === there?.updatedAt) continue
      if (!there || (there.createdAt === known.createdAt && there.updatedAt < known.updatedAt))
        takeInEarlier(draft, 'entry', here.id, there ?? null)
    }
  }
}

/** The entry with the log of its session comes before its other parts. */
function orderOf({ id, sessionId }: TimeEntry): number {
  return Number(sessionId !== null && sessionId !== id)
}

/** Every device pulls and sends until nothing is left to send. */
export function exchange(now: number, ...devices: readonly TestDevice[]): void {
  for (let round = 0; round < 6; round += 1) {
    for (const device of devices) {
      device.pull(now)
      device.send(now)
    }
  }
  for (const device of devices) device.pull(now)
}

/** Returns two devices of one account. */
export function twoDevices() {
  const backend = new TestBackend()
  const [laptop, phone] = [new TestDevice('laptop', backend), new TestDevice('phone', backend)]
  return { backend, laptop, phone }
}

/** Returns two devices that know a running timer since nine. */
export function devicesWithTimer() {
  const devices = twoDevices()
  const id = devices.laptop.start(at(0))
  exchange(at(1), devices.laptop, devices.phone)
  return { ...devices, id }
}

/** Returns two devices that know a session from nine to ten. */
export function devicesWithSession() {
  const devices = devicesWithTimer()
  devices.laptop.stop(at(60))
  exchange(at(60), devices.laptop, devices.phone)
  return devices
}
