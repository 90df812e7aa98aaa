/**
 * Walks of several devices, written as text: what is pressed where, and how many seconds pass. At its end each
 * device has heard of everything, and all of them and the server agree.
 *
 *     'L start, 10, P pause, L off, 5, L stop, L on'
 *
 * A number lets so many seconds pass. `backup` and `restore` are of the server. Every other step begins with a
 * device: L, and P where it is named, are there from the beginning and share a signed-in user, T appears with its
 * first step. A press is sent at once, unless its device is `off`. A device that is `cut` loses its requests, one that is
 * `unanswered` loses the answers, and one that `dies` is killed by the next answer: all of them, or those to
 * requests of a method or to a route, as in 'L cut PATCH' or 'L cut info'. One that `breaks` loses the answer to
 * its next request, and every request after it. `foreign` steps are those of the test.
 */
import { noteAwake } from '@stint/core/device/awake.ts'
import { applyChanges, changeTimer } from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'
import {
  answerQuestion,
  discardSession,
  finishSession,
  openQuestions,
  resumeSession,
} from '@stint/core/device/questions.ts'
import { changeTask } from '@stint/core/device/tasks.ts'
import {
  beginBreak,
  endBreak,
  pause,
  resume,
  resumeStopped,
  setNote,
  start,
  stop,
} from '@stint/core/device/timer.ts'
import type { Resumption } from '@stint/core/device/timer.ts'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { editEntry, mergeEntries, splitEntry } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'
import type { Intercept } from '@stint/testing/test-app.ts'
import { expect, test } from 'vitest'

import {
  allEntries,
  askedOn,
  createWorld,
  goOnline,
  secondsOn,
  serverOf,
  trackOffline,
  unsentCount,
} from './devices.ts'
import type { Device, StoredDocument, World } from './devices.ts'

/** How a walk begins. */
export interface Beginning {
  /** Whether presses succeed without the server. They do unless this is false. */
  readonly tracksOffline?: boolean
  /** Whether the end says when entries start: '10@5' begins in the fifth second of the walk. */
  readonly saysWhen?: boolean
  /** What other clients do, by the words after `foreign`. */
  readonly foreign?: Readonly<Record<string, Foreign>>
}

/** What another client does. `at` returns an instant of the walk as the API has it. */
export type Foreign = (walked: {
  readonly world: World
  readonly taskIds: ReadonlyMap<string, string>
  readonly at: (seconds: number) => string
}) => Promise<unknown>

interface Walker {
  device: Device
  isOff: boolean
  /** What stays between the device and the server when it is opened again. */
  network: Intercept | undefined
  /** Resolves when the device is killed by an answer. */
  died: Promise<void> | null
  stopped: StoppedTimer | null
  back: RecordChanges | null
}

/** In so many rounds of looking every device has heard of everything. */
const MAX_ROUNDS = 3
/** Steps that change how a device reaches the server. */
const NETWORK = ['on', 'off', 'cut', 'unanswered', 'breaks', 'dies']
const NAMES: Readonly<Record<string, string>> = { L: 'laptop', P: 'phone', T: 'tablet' }

/**
 * Walks, and returns how it ends: the seconds of each saved entry in order of their starts, what is asked, and
 * what the timer shows, as '10 20, asks 5, runs 30'. Expects that every device shows the same as the server
 * has, that nothing is unsent, and that the answer on one device is the answer on all.
 */
export async function walk(text: string, beginning: Beginning = {}): Promise<string> {
  const walking = await beginWalk(beginning, /\bP\b/.test(text) ? ['L', 'P'] : ['L'])
  try {
    await walking.go(text)
    return await walking.end()
  } finally {
    await walking.world.close()
  }
}

/**
 * Makes a test of each walk of a text. A walk has two lines: a sentence, and the steps with how they end, as in
 * 'L start, 10, L stop → 10'.
 */
export function testWalks(text: string, beginning: Beginning = {}): void {
  const lines = text.trim().split('\n')
  for (let index = 0; index < lines.length; index += 2) {
    const [title = '', steps = ''] = lines.slice(index, index + 2).map((line) => line.trim())
    const [walked = '', end] = steps.split(' → ')
    if (end === undefined || title.includes('→')) throw new SyntaxError(`Not a walk: ${title}`)
    test(title, async () => expect(await walk(walked, beginning)).toBe(end))
  }
}

/** Begins a walk that a test goes on with by its own means. The test must close the world at its end. */
export async function beginWalk(
  { tracksOffline = true, saysWhen = false, foreign = {} }: Beginning = {},
  letters: readonly string[] = ['L', 'P'],
) {
  const world = await createWorld()
  await world.user.call('PATCH', '/account/prefs', { prefs: { trackOffline: tracksOffline } })
  const beganAt = world.server.clock.now()
  const tasks = new Map([
    ['A', await world.createTask('A')],
    ['B', await world.createTask('B')],
  ])
  const walkers = new Map<string, Walker>()
  const { pass, backUp, restore } = serverOf(() => world)
  let backup = await backUp()
  for (const letter of letters) await walker(letter)

  async function walker(letter: string): Promise<Walker> {
    const known = walkers.get(letter)
    if (known) return known
    const name = NAMES[letter]
    if (name === undefined) throw new RangeError(`There is no device ${letter}`)
    const device = await world.device(name)
    const made: Walker = {
      device,
      isOff: false,
      network: undefined,
      died: null,
      stopped: null,
      back: null,
    }
    walkers.set(letter, made)
    return made
  }

  async function go(text: string): Promise<void> {
    for (const each of text.split(',').map((step) => step.trim().split(/\s+/))) {
      const [first = '', word = '', ...rest] = each
      if (/^[\d.]+$/.test(first)) pass(Number(first))
      else if (first === 'backup') backup = await backUp()
      else if (first === 'restore') await restore(backup)
      else if (first === 'foreign') await foreignStep([word, ...rest].join(' '))
      else await step(await walker(first), word, rest)
    }
  }

  function at(seconds: number): string {
    return new Date(beganAt + seconds * 1000).toISOString()
  }

  async function foreignStep(what: string): Promise<void> {
    const does = foreign[what]
    if (!does) throw new RangeError(`There is no foreign step ${what}`)
    await does({ world, taskIds: tasks, at })
  }

  async function step(by: Walker, word: string, words: readonly string[]): Promise<void> {
    const { device } = by
    if (NETWORK.includes(word)) {
      by.isOff = word === 'off'
      const died = Promise.withResolvers<void>()
      by.died = word === 'dies' ? died.promise : null
      by.network = undefined
      if (word === 'on') return goOnline(device)
      const [method] = words
      let isBroken = false
      const network: Intercept = async (request, send) => {
        const isMeant = request.method === method || request.url.endsWith(`/${method}`)
        if (method !== undefined && !isMeant) return send()
        if (['unanswered', 'dies'].includes(word) || (word === 'breaks' && !isBroken)) await send()
        isBroken = true
        if (word !== 'dies') throw new TypeError('Failed to fetch')
        device.kill()
        died.resolve()
        return new Promise(() => undefined)
      }
      if (word !== 'dies') by.network = network
      return device.intercept(network)
    }
    if (word === 'look') return device.sync.refresh()
    if (word === 'send') return send(by)
    if (word === 'clock') return device.moveClock(Number(words[0]) * 1000)
    if (word === 'close') return device.kill()
    if (word === 'open') {
      by.device = await device.reopen(by.network)
      by.died = null
      return
    }
    await press(by, word, words)
    if (!by.isOff) await send(by)
  }

  async function send({ device, died }: Walker): Promise<void> {
    const sent = device.sync.flush()
    await (died ? Promise.race([sent.catch(() => undefined), died]) : sent)
  }

  async function press(by: Walker, word: string, words: readonly string[]): Promise<void> {
    const { device } = by
    const number = Number(words[0])
    const entry = () => entryAt(device, words)
    const edit = async (entries: (now: number) => NonNullable<RecordChanges['entries']>) => {
      by.back = await device.press((draft, now) =>
        applyChanges(draft, { entries: entries(now) }, now),
      )
    }
    switch (word) {
      case 'start':
        return startOn(device, words)
      case 'pause':
        return void (await device.press(pause))
      case 'resume':
        return void (await device.press(resume))
      case 'break':
        return device.press(beginBreak)
      case 'works':
        return device.press(endBreak)
      case 'stop':
        by.stopped = await device.press((draft, now) =>
          stop(draft, now - (number || 0) * 1000, now),
        )
        return
      case 'undo':
      case 'resumes': {
        const action = device.record.value('banner')?.action
        const failed = action?.kind === 'resume' ? action : null
        const stopped = failed?.stopped ?? by.stopped
        if (!stopped) throw new Error('There is no stop to undo')
        const gap: Resumption['gap'] = failed?.gap ?? 'undo'
        const input = { sessionId: `again-${device.record.clock.now()}`, stopped, gap, device: 'x' }
        return device.press((draft, now) => resumeStopped(draft, { ...input, now }))
      }
      case 'wakes':
        return device.press(noteAwake)
      case 'archives':
        return device.press((draft, now) =>
          changeTask(draft, String(tasks.get('A')), { isActive: false }, now),
        )
      case 'ends':
        return device.press((draft, now) =>
          finishSession(draft, unfinishedOn(device), now - number * 1000, now),
        )
      case 'continues':
        return device.press((draft, now) => resumeSession(draft, unfinishedOn(device), now))
      case 'tracks':
        return trackOffline(device)
      case 'discard':
        return discardOn(device)
      case 'move':
        return moveStart(by, number)
      case 'task':
        return taskOn(by, String(tasks.get('B')))
      case 'note':
        return noteOn(by, words)
      case 'split':
        return edit((now) =>
          splitEntry(entry(), entry().startedAt + number * 1000, crypto.randomUUID(), now),
        )
      case 'trim':
        return edit((now) => [
          editEntry(entry(), { endedAt: entry().startedAt + number * 1000 }, now),
        ])
      case 'begin':
        return edit((now) => [
          editEntry(entry(), { startedAt: entry().startedAt + number * 1000 }, now),
        ])
      case 'delete':
        return edit((now) => [deleteEntry(entryAt(device, ['', ...words]), now)])
      case 'restores':
        return edit((now) =>
          allEntries(device.record)
            .filter((each) => each.deletedAt !== null)
            .slice(0, 1)
            .map((each) => ({ before: each, after: { ...each, deletedAt: null, updatedAt: now } })),
        )
      case 'merge':
        return edit((now) => mergeEntries(device.record.entries(), now))
      case 'back': {
        const { back } = by
        if (!back) throw new Error('There is no step to undo')
        by.back = await device.press((draft, now) => applyChanges(draft, back, now))
        return
      }
      case 'keep':
      case 'leave':
        return answerOn(device, word === 'keep')
      default:
        throw new RangeError(`There is no press ${word}`)
    }
  }

  async function startOn(device: Device, words: readonly string[]): Promise<void> {
    const taskId = String(tasks.get(words.find((each) => tasks.has(each)) ?? 'A'))
    const earlier = Number(words.find((each) => each.startsWith('-')) ?? 0)
    const sessionId = `s-${device.database.slice(-8)}-${device.record.clock.now()}`
    await device.press((draft, now) =>
      start(draft, { sessionId, taskId, device: 'x', now, startedAt: now + earlier * 1000 }),
    )
  }

  /** Returns the seconds of a stored entry, with its task unless that is A, and its note. */
  function describe(entry: StoredDocument): string {
    const { durationSeconds, taskId, note, startTime } = entry
    const place = Math.round((Date.parse(String(startTime)) - beganAt) / 100) / 10
    const task = taskId === tasks.get('B') ? 'B' : ''
    const seconds = `${String(durationSeconds)}${task}${saysWhen ? `@${place}` : ''}`
    return typeof note === 'string' ? `${seconds}(${note})` : seconds
  }

  async function end(): Promise<string> {
    const fresh = await world.device('fresh')
    const devices = [...[...walkers.values()].map(({ device }) => device), fresh]
    await settle(world, devices)
    const outcome = await outcomeOf(world, devices, describe)
    const [first, second] = devices
    if (!first || !second || askedOn(first).length === 0) return outcome
    const before = countedOn(first)
    await answerOn(second, true)
    await settle(world, [second, ...devices])
    const asked = askedIn(outcome)
    expect(await outcomeOf(world, devices, describe)).not.toContain('asks')
    expect(Math.abs(countedOn(first) - before - asked)).toBeLessThan(2)
    return outcome
  }

  return {
    world,
    go,
    end,
    device: async (letter: string) => (await walker(letter)).device,
    tasks,
    backUp,
    restore,
    pass,
  }
}

/** Lets all devices look until none has written since another one looked. */
async function settle(world: World, devices: readonly Device[]): Promise<void> {
  const seen = new Map<Device, number>()
  for (let round = 0; devices.some((device) => seen.get(device) !== world.writes()); round += 1) {
    expect(round).toBeLessThan(MAX_ROUNDS)
    for (const device of devices) {
      if (seen.get(device) === world.writes()) continue
      await goOnline(device)
      seen.set(device, world.writes())
    }
  }
}

/** Returns how it stands, after every device was found to show it and to have sent everything. */
async function outcomeOf(
  world: World,
  devices: readonly Device[],
  describe: (entry: StoredDocument) => string,
): Promise<string> {
  const stored = await world.stored('time_entries')
  const saved = stored
    .filter((entry) => entry['deletedAt'] === null)
    .toSorted((a, b) => String(a['startTime']).localeCompare(String(b['startTime'])))
  const seconds = saved.map((entry) => Number(entry['durationSeconds'])).toSorted((a, b) => a - b)
  const outcomes = devices.map((device) => {
    expect(unsentCount(device.record)).toBe(0)
    expect(secondsOn(device).toSorted((a, b) => a - b)).toEqual(seconds)
    return [saved.map(describe).join(' ') || 'nothing', ...shownOn(device)].join(', ')
  })
  const [outcome = ''] = outcomes
  expect(outcomes).toEqual(outcomes.map(() => outcome))
  return outcome
}

function shownOn(device: Device): readonly string[] {
  const asked = askedOn(device).map(([, seconds]) => seconds)
  const timer = device.record.value('timer')?.timer
  const unfinished = device.record.value('unfinished')?.sessions ?? []
  const elapsed = timer ? elapsedSeconds(timer, device.record.clock.now()) : 0
  return [
    ...(asked.length > 0 ? [`asks ${asked.toSorted((a, b) => a - b).join(' ')}`] : []),
    ...(timer ? [`${timer.status === 'running' ? 'runs' : 'paused'} ${elapsed}`] : []),
    ...(unfinished.length > 0 ? [`unfinished ${unfinished.length}`] : []),
  ]
}

function askedIn(outcome: string): number {
  const numbers = /asks ([\d ]+)/.exec(outcome)?.[1]?.split(' ') ?? []
  return numbers.reduce((sum, each) => sum + Number(each), 0)
}

function countedOn(device: Device): number {
  const timer = device.record.value('timer')?.timer
  const shown = timer ? elapsedSeconds(timer, device.record.clock.now()) : 0
  return secondsOn(device).reduce((sum, each) => sum + each, shown)
}

function entryAt(device: Device, words: readonly string[]): TimeEntry {
  const place = Number(words[1] ?? 1)
  const entry = device.record.entries().at(place - 1)
  if (!entry) throw new Error(`The device has no entry ${place}`)
  return entry
}

/** Returns the session that the device offers on a card. */
function unfinishedOn({ record }: Device) {
  const [session] = record.value('unfinished')?.sessions ?? []
  if (!session) throw new Error('No session is unfinished')
  return session
}

async function discardOn(device: Device): Promise<void> {
  await device.press((draft, now) => {
    const shown = draft.value('timer')?.timer
    const [unfinished] = draft.value('unfinished')?.sessions ?? []
    const id = shown?.sessionId ?? unfinished?.id
    const base = id === undefined ? undefined : draft.sessions.get(id)?.base
    if (!base) throw new Error('There is no session to discard')
    discardSession(draft, base, now)
  })
}

async function moveStart(by: Walker, seconds: number): Promise<void> {
  by.back = await by.device.press((draft, now) => {
    const timer = draft.value('timer')?.timer
    if (!timer) throw new Error('No timer')
    const { sessionId, startedAt } = timer
    const change = { startedAt: startedAt + seconds * 1000 }
    return applyChanges(draft, { timer: { sessionId, change } }, now)
  })
}

/** Moves the timer, or the first entry, to another task. */
async function taskOn(by: Walker, taskId: string): Promise<void> {
  const { device } = by
  const timer = device.record.value('timer')?.timer
  await device.press((draft, now) => {
    if (timer) changeTimer(draft, timer.sessionId, { taskId }, now)
    else
      by.back = applyChanges(
        draft,
        { entries: [editEntry(entryAt(device, []), { taskId }, now)] },
        now,
      )
  })
}

async function noteOn(by: Walker, words: readonly string[]): Promise<void> {
  const { device } = by
  const note = words[0] ?? ''
  const timer = device.record.value('timer')?.timer
  if (timer) return device.press((draft, now) => setNote(draft, timer.sessionId, note, now))
  const entry = entryAt(device, words)
  by.back = await device.press((draft, now) =>
    applyChanges(draft, { entries: [editEntry(entry, { note }, now)] }, now),
  )
}

async function answerOn(device: Device, isWork: boolean): Promise<void> {
  await device.press((draft, now) => {
    for (const question of openQuestions(draft)) answerQuestion(draft, question, isWork, now)
  })
}
