/** The logs that presses of programs write: each document says what its log means (docs/log.md). */
import { beforeEach, expect, test } from 'vitest'
import type { CollectionId, DocumentOf } from '@stint/core/collections.ts'
import { decodeLog, encodeLog } from '@stint/core/log/codec.ts'
import { appended } from '@stint/core/log/edit.ts'
import type { Action, Log } from '@stint/core/log/event.ts'
import { foldSession } from '@stint/core/log/asked.ts'
import { compareStamps, isLinear } from '@stint/core/log/order.ts'
import { projectionOf } from '@stint/core/log/projection.ts'
import type { Projection } from '@stint/core/log/projection.ts'
import { isSealBroken } from '@stint/core/log/seal.ts'
import { ENTRY, entryAttributes, entryFromDocument } from '@stint/core/record/time-entry.ts'
import { newSessionAttributes, sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import type { Program } from '@stint/testing/test-app.ts'
import { wireInstant } from '#instant.ts'
import { MAX_EVENTS } from './logged-session.ts'
import { RecordReader } from './record.ts'

const BEGIN = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000
const COLLECTIONS = '/databases/stint/collections'
type Session = DocumentOf<'timer_sessions'>
type Entry = DocumentOf<'time_entries'>

const server = serverForFile()
const ann = userForEach(server)
let shell: Program

beforeEach(async () => {
  await ann.call('PATCH', '/account/prefs', { prefs: { timeZone: 'Europe/Berlin' } })
  await ann.call('POST', `${COLLECTIONS}/tasks/documents`, {
    documentId: 'write',
    data: { name: 'Write', userId: ann.id },
  })
  shell = await server.program(ann)
})

test('each press is an event of a writer of its own that has heard of all before', async () => {
  const started = await shell('POST', '/start', { taskId: 'write', note: 'draft', at: '12:50' })
  expect(JSON.stringify(started.body)).not.toContain('"log"')
  expect(kindsOf(timerLog(await session()))).toEqual(['start'])
  server.clock.advance(10 * MINUTE)
  await shell('POST', '/pause', { at: '13:05' })
  timerLog(await session())
  server.clock.advance(10 * MINUTE)
  await shell('POST', '/toggle')
  timerLog(await session())
  server.clock.advance(10 * MINUTE)
  const { body } = await shell('POST', '/stop')
  expect(JSON.stringify(body)).not.toContain('"log"')
  const entry = await onlyEntry()
  expect(entry).toMatchObject({ $id: body.session.id, durationSeconds: 25 * 60, note: 'draft' })
  const log = entryLog(entry)
  expect(kindsOf(log)).toEqual(['start', 'pause', 'resume', 'stop'])
  expect(new Set(log.map(({ device }) => device)).size).toBe(4)
  expect(log.every(({ device }) => /^[\w-]{6}$/.test(device))).toBe(true)
  expect(isLinear(log)).toBe(true)
})

test('a stop at an earlier time leaves out the time since, and nothing is asked', async () => {
  await shell('POST', '/start', { taskId: 'write' })
  server.clock.advance(30 * MINUTE)
  await shell('POST', '/stop', { at: '13:20' })
  const log = entryLog(await onlyEntry())
  expect(kindsOf(log)).toEqual(['start', 'count', 'stop'])
  expect(foldSession(log)?.asked).toEqual([])
})

test('a start over an active timer ends one log and begins another', async () => {
  const first = (await shell('POST', '/start', { taskId: 'write' })).body.timer
  server.clock.advance(30 * MINUTE)
  await shell('POST', '/start', { task: 'Read', at: '13:10' })
  const entry = await onlyEntry()
  expect(entry).toMatchObject({ $id: first.id, durationSeconds: 10 * 60 })
  expect(kindsOf(entryLog(entry))).toEqual(['start', 'count', 'stop'])
  expect(kindsOf(timerLog(await session()))).toEqual(['start'])
})

test('a start comes after the stop of a timer whose device has a clock that is ahead', async () => {
  await createSession(pressed(begun(), { kind: 'pause' }, 4), {
    isRunning: false,
    isPaused: true,
    currentPauseStart: wire(4),
  })
  await shell('POST', '/start', { task: 'Read' })
  const last = logOf(await onlyEntry()).at(-1)
  const [first] = timerLog(await session())
  expect(first && last && compareStamps(last.stamp, first.stamp)).toBeLessThan(0)
})

test('a stop in the second of its start leaves a deleted entry with the log', async () => {
  await shell('POST', '/start', { taskId: 'write' })
  await shell('POST', '/stop')
  const entry = await onlyEntry()
  expect(entry.deletedAt).not.toBeNull()
  expect(kindsOf(logOf(entry))).toEqual(['start', 'stop'])
})

test('a press on the session of a device extends its log, and the device’s events stay', async () => {
  const known = begun()
  await createSession(known)
  server.clock.advance(10 * MINUTE)
  await shell('POST', '/pause')
  const paused = timerLog(await session())
  expect(kindsOf(paused)).toEqual(['start', 'pause'])
  expect(paused.slice(0, 1)).toEqual(known)
  await shell('POST', '/stop')
  const stopped = entryLog(await onlyEntry())
  expect(stopped.slice(0, 2)).toEqual(paused)
  expect(await list('timer_sessions')).toEqual([])
})

test('a session without a log gets its base first', async () => {
  await createSession(begun(), { log: null })
  server.clock.advance(10 * MINUTE)
  await shell('POST', '/pause')
  expect(kindsOf(timerLog(await session()))).toEqual(['base', 'pause'])
  await shell('POST', '/stop')
  expect(await onlyEntry()).toMatchObject({ durationSeconds: 600 })
  expect(kindsOf(entryLog(await onlyEntry()))).toEqual(['base', 'pause', 'stop'])
})

test('what another client has changed in the fields is in the log before the press', async () => {
  await createSession(begun())
  server.clock.advance(10 * MINUTE)
  await change('timer_sessions', 's', { note: 'by hand', startTime: wire(5) })
  await shell('POST', '/stop')
  const entry = await onlyEntry()
  expect(entry).toMatchObject({ note: 'by hand', durationSeconds: 300 })
  expect(kindsOf(entryLog(entry))).toEqual(['start', 'move', 'set', 'stop'])
})

test('a session that a device has stopped is saved with its log by the next press', async () => {
  server.clock.advance(20 * MINUTE)
  await createSession(pressed(begun(), { kind: 'stop' }, 10), {
    isRunning: false,
    endTime: wire(10),
  })
  await shell('POST', '/start', { task: 'Read' })
  const entry = await onlyEntry()
  expect(entry).toMatchObject({ $id: 's', durationSeconds: 600 })
  expect(kindsOf(entryLog(entry))).toEqual(['start', 'stop'])
})

test('a stopped session whose entry was edited since keeps the edit', async () => {
  server.clock.advance(20 * MINUTE)
  const stopped = pressed(begun(), { kind: 'stop' }, 10)
  await createSession(stopped, { isRunning: false, endTime: wire(10) })
  await createEntry(pressed(stopped, noted('edited'), 11))
  await shell('POST', '/start', { task: 'Read' })
  expect(await onlyEntry()).toMatchObject({ note: 'edited', durationSeconds: 600 })
  expect(kindsOf(entryLog(await onlyEntry()))).toEqual(['start', 'stop', 'set'])
  expect(await list('timer_sessions')).toHaveLength(1)
})

test('after Undo of a stop, a stop saves the entry that there is, with the parts that were cut', async () => {
  const stopped = pressed(begun(), { kind: 'stop' }, 10)
  const cut = pressed(stopped, { kind: 'cut', to: at(4) }, 11)
  const undone = pressed(cut, { kind: 'undo', of: ['device.2'] }, 12)
  await createEntry(cut, { deletedAt: wire(12), log: encodeLog(undone) })
  await createSession(undone)
  server.clock.advance(20 * MINUTE)
  const { body } = await shell('POST', '/stop')
  expect(body.session).toMatchObject({ id: 's', seconds: 240 })
  const entries = await list('time_entries')
  const root = only(entries.filter(({ $id }) => $id === 's'))
  const part = only(entries.filter(({ $id }) => $id !== 's'))
  expect(kindsOf(entryLog(root))).toEqual(['start', 'stop', 'cut', 'undo', 'stop'])
  expect(part).toMatchObject({ sessionId: 's', durationSeconds: 16 * 60, deletedAt: null })
  expect(isSealBroken(entryFromDocument(part))).toBe(false)
  expect(await list('timer_sessions')).toEqual([])
})

test('a session that a device has discarded is no timer any more, and is deleted', async () => {
  const known = begun()
  await createSession(known)
  const discarded = pressed(known, { kind: 'discard' }, 1)
  await createEntry(discarded)
  server.clock.advance(5 * MINUTE)
  expect(await shell('POST', '/pause')).toMatchObject({ body: { type: 'stint_no_timer' } })
  await shell('POST', '/start', { task: 'Read' })
  expect(await list('timer_sessions')).toHaveLength(1)
  expect(kindsOf(entryLog(await onlyEntry()))).toEqual(['start', 'discard'])
})

test.each([
  ['of a later version', () => '[9,"what nobody knows yet"]'],
  ['with an event of an unknown kind', () => encodeLog(begun()).replace('"start"', '"dance"')],
  ['that is no log', () => 'part of something'],
  ['that is too long to read', () => encodeLog(longLog())],
])('a log %s is never written over: devices save what is stopped', async (_name, textOf) => {
  const text = textOf()
  await createSession(begun(), { log: text })
  server.clock.advance(10 * MINUTE)
  expect((await shell('POST', '/pause')).body.timer).toMatchObject({ seconds: 600 })
  expect(await session()).toMatchObject({ isPaused: true, log: text })
  const { body } = await shell('POST', '/stop')
  expect(body.session).toMatchObject({ id: 's', seconds: 600 })
  expect(await session()).toMatchObject({ endTime: wire(10), log: text })
  expect(await list('time_entries')).toEqual([])
  expect((await shell('GET', '/now')).body).toMatchObject({ timer: null, todaySeconds: 600 })
  await shell('POST', '/start', { task: 'Read' })
  expect(await list('timer_sessions')).toHaveLength(2)
})

test('where a log has no room for another event, a device saves what is stopped', async () => {
  // Notes with nothing in common, so that none is written as a change of the one before.
  const notes = Array.from({ length: 30 }, (_, index) =>
    String.fromCodePoint(97 + (index % 26)).repeat(1990),
  )
  const log = notes.reduce((before, value) => pressed(before, noted(value), 1), begun())
  const withNote = (note: string) => {
    return { log: encodeLog(pressed(log, noted(note), 1)), note }
  }
  const left = 64_950 - JSON.stringify(attributesOf(withNote(''))).length
  const last = withNote('x'.repeat(left / 2))
  await createSession(begun(), last)
  server.clock.advance(10 * MINUTE)
  expect((await shell('POST', '/stop')).body.session).toMatchObject({ id: 's', seconds: 600 })
  const stopped = await session()
  expect(stopped).toMatchObject({ endTime: wire(10), isRunning: false })
  expect(logOf(stopped)).toEqual(expect.arrayContaining([...logOf(last)]))
  expect(await list('time_entries')).toEqual([])
})

test('a session whose pauses leave no room for a log is saved without one', async () => {
  const pauses = Array.from({ length: 1000 }, (_, index) => [
    at(index / 200),
    at(index / 200) + 100,
  ])
  const known = pauses.map((pause) => pause.map((instant) => new Date(instant).toISOString()))
  await createSession(begun(), {
    log: null,
    pauses: JSON.stringify(known),
    pauseDurationSeconds: 100,
  })
  server.clock.advance(10 * MINUTE)
  await shell('POST', '/stop')
  expect(await onlyEntry()).toMatchObject({ durationSeconds: 500, log: null })
  expect(await list('timer_sessions')).toEqual([])
})

test('what is read for figures carries no log, and logs do not count as its length', async () => {
  for (let count = 0; count < 20; count++) {
    await createEntry(
      pressed(begun(), { kind: 'stop' }, 1),
      { log: encodeLog(longLog()) },
      `e${count}`,
    )
  }
  const { entries } = await new RecordReader(server.db, ann.id, 20_000).read(null)
  expect(entries).toHaveLength(20)
  expect(entries.every(({ log }) => log === null)).toBe(true)
})

/** Expects that a session is what its log means. Returns the log. */
function timerLog(document: Session): Log {
  const log = logOf(document)
  expect(sessionFromDocument(document).state).toEqual(meaningOf(document.$id, log).session)
  return log
}

/** Expects that the first entry of a session is what its log means. Returns the log. */
function entryLog(document: Entry): Log {
  const log = logOf(document)
  const entry = entryFromDocument(document)
  const meant = meaningOf(document.$id, log).entries.find(({ id }) => id === document.$id)
  expect(meant && ENTRY.differing(entry, { ...entry, ...meant })).toEqual([])
  return log
}

function meaningOf(id: string, log: Log): Projection {
  const folded = foldSession(log)
  if (!folded) throw new Error('The log says nothing')
  return projectionOf(id, folded)
}

function logOf({ log }: { readonly log: string | null }): Log {
  const decoded = decodeLog(log ?? '')
  if (decoded.kind !== 'log') throw new Error(`${decoded.kind}: ${log}`)
  return decoded.log
}

function kindsOf(log: Log): readonly string[] {
  return log.map(({ action }) => action.kind)
}

/** Returns the instant so many minutes after the begin of each test. */
function at(minutes: number): number {
  return BEGIN + minutes * MINUTE
}

/** Returns the log of a timer that a device starts now. */
function begun(): Log {
  return pressed([], { kind: 'start', task: 'write', note: null, deviceName: 'Phone' }, 0)
}

function pressed(log: Log, action: Action, minutes: number): Log {
  return appended(log, { device: 'device', now: at(minutes) }, action)
}

function noted(value: string): Action {
  return { kind: 'set', field: 'note', value, boundary: 'start' }
}

/** Returns the log of a timer with more events than a press reads. */
function longLog(): Log {
  const kinds = Array.from({ length: MAX_EVENTS }, (_, index) => (index % 2 ? 'resume' : 'pause'))
  return kinds.reduce((log, kind) => pressed(log, { kind }, 0), begun())
}

/** Stores the session 's' as a device does that has this log. */
function createSession(log: Log, changed: Partial<Session> = {}): Promise<void> {
  return create('timer_sessions', 's', attributesOf({ log: encodeLog(log), ...changed }))
}

/** Returns the attributes of a running session, with changes. */
function attributesOf(changed: Partial<Session>): object {
  const timer = { sessionId: 's', taskId: 'write', startedAt: BEGIN, status: 'running' } as const
  const pauses = { intervals: [], unplacedSeconds: 0 }
  const by = { userId: ann.id, device: 'Phone' }
  return { ...newSessionAttributes({ ...timer, pauses }, '', by), ...changed }
}

/** Stores the first entry of a session as a device does that has this log. */
async function createEntry(log: Log, changed: Partial<Entry> = {}, id = 's'): Promise<void> {
  const [root] = meaningOf('s', log).entries
  if (!root) throw new Error('The session goes on')
  const entry = { ...root, log: encodeLog(log), createdAt: 0, updatedAt: 0 }
  await create('time_entries', id, { ...entryAttributes(entry, ann.id), ...changed })
}

async function create(collection: string, documentId: string, data: object): Promise<void> {
  const path = `${COLLECTIONS}/${collection}/documents`
  expect((await ann.call('POST', path, { documentId, data })).body).toMatchObject({
    $id: documentId,
  })
}

async function change(collection: string, id: string, data: object): Promise<void> {
  const path = `${COLLECTIONS}/${collection}/documents/${id}`
  expect(await ann.call('PATCH', path, { data })).toMatchObject({ status: 200 })
}

async function list<C extends CollectionId>(collection: C): Promise<DocumentOf<C>[]> {
  return (await ann.call('GET', `${COLLECTIONS}/${collection}/documents`)).body.documents
}

async function session(): Promise<Session> {
  return only(await list('timer_sessions'))
}

async function onlyEntry(): Promise<Entry> {
  return only(await list('time_entries'))
}

function only<Document>(documents: readonly Document[]): Document {
  const [first] = documents
  if (first === undefined || documents.length > 1) throw new Error(`${documents.length} documents`)
  return first
}

function wire(minutes: number): string {
  return wireInstant(at(minutes))
}
