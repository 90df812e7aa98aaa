/**
 * Walks of several devices, written as text: what is pressed where, and how many seconds pass. At its end each
 * device has heard of everything, and all of them and the backend agree.
 *
 *     'L start, 10, P pause, L off, 5, L stop, L on'
 *
 * A number lets so many seconds pass. `backup` and `restore` are of the backend. Every other step begins with a
 * device: L, and P where it is named, are there from the beginning and share a signed-in user, T appears with its
 * first step. A press is sent at once, unless its device is `off`. A device that is `unanswered` loses the answers
 * to what it sends. A world may know more steps, and `foreign` steps are those of the test.
 */
import { expect, test } from 'vitest'

import { noteAwake } from '#device/awake.ts'
import { applyChanges, changeTimer } from '#device/changes.ts'
import type { RecordChanges } from '#device/changes.ts'
import type { Draft, View } from '#device/draft.ts'
import {
  answerQuestion,
  discardSession,
  finishSession,
  openQuestions,
  resumeSession,
  secondsAsked,
} from '#device/questions.ts'
import { changeTask } from '#device/tasks.ts'
import {
  turnForBreak,
  pause,
  resume,
  resumeStopped,
  setNote,
  start,
  stop,
  trackOffline,
} from '#device/timer.ts'
import type { Resumption } from '#device/timer.ts'
import { countUnsaved } from '#device/unsaved.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { editEntry, mergeEntries, splitEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { elapsedSeconds } from '#timer/timer.ts'
import type { StoppedTimer } from '#timer/timer.ts'

/** Where a walk takes place. */
export interface WalkWorld {
  /** The ids of the tasks A and B. */
  readonly tasks: readonly [string, string]
  now(): number
  pass(seconds: number): void
  /** How many requests of devices could have changed what the backend has. */
  writes(): number
  /** Returns the entries of the backend that are not deleted. */
  saved(): Promise<readonly Saved[]>
  /** Returns a function that restores the backend to what it is now. */
  backUp(): Promise<() => Promise<void>>
  /** Opens a device that nobody has used, and lets it load everything. */
  open(name: string): Promise<WalkDevice>
  close(): Promise<void>
}

export type Saved = Pick<TimeEntry, 'taskId' | 'startedAt' | 'durationSeconds' | 'note'>

export interface WalkDevice {
  readonly view: View
  /** Whether presses are not sent. */
  readonly isOff: boolean
  /** Presses, and sends nothing. */
  press<T>(change: (draft: Draft) => T): Promise<T>
  /** Sends what the backend lacks. */
  send(): Promise<void>
  /** Sends, and takes in what others have written. */
  look(): Promise<void>
  /** Makes a step that concerns the network or the device itself. Returns whether there is such a step. */
  step(word: string, words: readonly string[]): Promise<boolean>
}

/** How a walk begins. */
export interface Beginning {
  /** Whether presses succeed without the backend. They do unless this is false. */
  readonly tracksOffline?: boolean
  /** Whether the end says when entries start: '10@5' begins in the fifth second of the walk. */
  readonly saysWhen?: boolean
}

/** What other clients do, by the words after `foreign`. */
type Foreign = (what: string) => Promise<void>

interface Walker {
  readonly device: WalkDevice
  stopped: StoppedTimer | null
  back: RecordChanges | null
}

/** In so many rounds of looking every device has heard of everything. */
const MAX_ROUNDS = 3
const NAMES: Readonly<Record<string, string>> = { L: 'laptop', P: 'phone', T: 'tablet' }
const noForeign: Foreign = async (what) => {
  throw new RangeError(`There is no foreign step ${what}`)
}

/** Returns the devices that are there from the beginning of a walk. */
export function lettersIn(text: string): readonly string[] {
  return /\bP\b/.test(text) ? ['L', 'P'] : ['L']
}

/**
 * Makes a test of each walk of a text. A walk has two lines: a sentence, and the steps with how they end, as in
 * 'L start, 10, L stop → 10'.
 */
export function testEachWalk(text: string, walk: (steps: string) => Promise<string>): void {
  const lines = text.trim().split('\n')
  for (let index = 0; index < lines.length; index += 2) {
    const [title = '', steps = ''] = lines.slice(index, index + 2).map((line) => line.trim())
    const [walked = '', end] = steps.split(' → ')
    if (end === undefined || title.includes('→')) throw new SyntaxError(`Not a walk: ${title}`)
    test(title, async () => expect(await walk(walked)).toBe(end))
  }
}

/**
 * Begins a walk. Its end is the seconds of each saved entry in order of their starts, what is asked, and what
 * the timer shows, as '10 20, asks 5, runs 30'. The end expects that every device shows the same as the backend
 * has, that nothing is unsent, and that the answer on one device is the answer on all.
 */
export async function walkIn(
  world: WalkWorld,
  letters: readonly string[],
  saysWhen = false,
  foreign = noForeign,
) {
  const beganAt = world.now()
  const tasks = new Map([
    ['A', world.tasks[0]],
    ['B', world.tasks[1]],
  ])
  const walkers = new Map<string, Walker>()
  let restore = await world.backUp()
  for (const letter of letters) await walker(letter)
  return { go, end, device: async (letter: string) => (await walker(letter)).device }

  async function walker(letter: string): Promise<Walker> {
    const known = walkers.get(letter)
    if (known) return known
    const name = NAMES[letter]
    if (name === undefined) throw new RangeError(`There is no device ${letter}`)
    const made = { device: await world.open(name), stopped: null, back: null }
    walkers.set(letter, made)
    return made
  }

  async function go(text: string): Promise<void> {
    for (const each of text.split(',').map((step) => step.trim().split(/\s+/))) {
      const [first = '', word = '', ...rest] = each
      if (/^[\d.]+$/.test(first)) world.pass(Number(first))
      else if (first === 'backup') restore = await world.backUp()
      else if (first === 'restore') await restore()
      else if (first === 'foreign') await foreign([word, ...rest].join(' '))
      else await step(await walker(first), word, rest)
    }
  }

  async function step(by: Walker, word: string, words: readonly string[]): Promise<void> {
    const { device } = by
    if (word === 'look') return device.look()
    if (word === 'send') return device.send()
    if (await device.step(word, words)) return
    await press(by, word, words)
    if (!device.isOff) await device.send()
  }

  async function press(by: Walker, word: string, words: readonly string[]): Promise<void> {
    const { device } = by
    const number = Number(words[0])
    const entry = () => entryAt(device, words)
    const edit = async (entries: (now: number) => NonNullable<RecordChanges['entries']>) => {
      by.back = await device.press((draft) => applyChanges(draft, { entries: entries(draft.now) }))
    }
    switch (word) {
      case 'start':
        return startOn(device, words)
      case 'pause':
        return void (await device.press(pause))
      case 'resume':
        return void (await device.press(resume))
      case 'break':
        return device.press((draft) => turnForBreak(draft, 'pause', draft.now))
      case 'works':
        return device.press((draft) => turnForBreak(draft, 'resume', draft.now))
      case 'stop':
        by.stopped = await device.press((draft) => stop(draft, draft.now - (number || 0) * 1000))
        return
      case 'undo':
      case 'resumes': {
        const action = device.view.value('banner')?.action
        const failed = action?.kind === 'resume' ? action : null
        const stopped = failed?.stopped ?? by.stopped
        if (!stopped) throw new Error('There is no stop to undo')
        const gap: Resumption['gap'] = failed?.gap ?? 'undo'
        const input = { sessionId: `again-${world.now()}`, stopped, gap, device: 'x' }
        return device.press((draft) => resumeStopped(draft, input))
      }
      case 'wakes':
        return device.press(noteAwake)
      case 'archives':
        return device.press((draft) =>
          changeTask(draft, String(tasks.get('A')), { isActive: false }),
        )
      case 'ends':
        return device.press((draft) =>
          finishSession(draft, unfinishedOn(device), draft.now - number * 1000),
        )
      case 'continues':
        return device.press((draft) => resumeSession(draft, unfinishedOn(device)))
      case 'tracks':
        return trackOn(device)
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
          splitEntry(
            entry(),
            entry().startedAt + number * 1000,
            `${device.view.writer}-${now}`,
            now,
          ),
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
          device.view.entries
            .all()
            .toSorted((a, b) => (a.id < b.id ? -1 : 1))
            .filter((each) => each.deletedAt !== null)
            .slice(0, 1)
            .map((each) => ({ before: each, after: { ...each, deletedAt: null, updatedAt: now } })),
        )
      case 'merge':
        return edit((now) => mergeEntries(entriesOn(device), now))
      case 'back': {
        const { back } = by
        if (!back) throw new Error('There is no step to undo')
        by.back = await device.press((draft) => applyChanges(draft, back))
        return
      }
      case 'keep':
      case 'leave':
        return answerOn(device, word === 'keep')
      default:
        throw new RangeError(`There is no press ${word}`)
    }
  }

  async function startOn(device: WalkDevice, words: readonly string[]): Promise<void> {
    const taskId = String(tasks.get(words.find((each) => tasks.has(each)) ?? 'A'))
    const earlier = Number(words.find((each) => each.startsWith('-')) ?? 0)
    const sessionId = `s-${device.view.writer}-${world.now()}`
    await device.press((draft) =>
      start(draft, { sessionId, taskId, device: 'x', startedAt: draft.now + earlier * 1000 }),
    )
  }

  /** Returns the seconds of a saved entry, with its task unless that is A, and its note. */
  function describe({ taskId, startedAt, durationSeconds, note }: Saved): string {
    const place = Math.round((startedAt - beganAt) / 100) / 10
    const task = taskId === tasks.get('B') ? 'B' : ''
    const seconds = `${durationSeconds}${task}${saysWhen ? `@${place}` : ''}`
    return note === null ? seconds : `${seconds}(${note})`
  }

  async function end(): Promise<string> {
    const fresh = await world.open('fresh')
    const devices = [...[...walkers.values()].map(({ device }) => device), fresh]
    for (const device of devices) await device.step('on', [])
    await settle(world, devices)
    const outcome = await outcomeOf(world, devices, describe)
    const [first, second] = devices
    if (!first || !second || askedOn(first).length === 0) return outcome
    const before = countedOn(first, world.now())
    await answerOn(second, true)
    await settle(world, [second, ...devices])
    const asked = askedIn(outcome)
    expect(await outcomeOf(world, devices, describe)).not.toContain('asks')
    expect(Math.abs(countedOn(first, world.now()) - before - asked)).toBeLessThan(2)
    return outcome
  }
}

/** Lets all devices look until none has written since another one looked. */
async function settle(world: WalkWorld, devices: readonly WalkDevice[]): Promise<void> {
  const seen = new Map<WalkDevice, number>()
  for (let round = 0; devices.some((device) => seen.get(device) !== world.writes()); round += 1) {
    expect(round).toBeLessThan(MAX_ROUNDS)
    for (const device of devices) {
      if (seen.get(device) === world.writes()) continue
      await device.look()
      await device.send()
      seen.set(device, world.writes())
    }
  }
}

/** Returns how it stands, after every device was found to show it and to have sent everything. */
async function outcomeOf(
  world: WalkWorld,
  devices: readonly WalkDevice[],
  describe: (entry: Saved) => string,
): Promise<string> {
  const saved = (await world.saved()).toSorted((a, b) => a.startedAt - b.startedAt)
  const seconds = saved.map((entry) => entry.durationSeconds).toSorted((a, b) => a - b)
  const outcomes = devices.map((device) => {
    expect(countUnsaved(device.view, () => true)).toBe(0)
    const here = entriesOn(device).map((entry) => entry.durationSeconds)
    expect(here.toSorted((a, b) => a - b)).toEqual(seconds)
    const shown = shownOn(device, world.now())
    return [saved.map(describe).join(' ') || 'nothing', ...shown].join(', ')
  })
  const [outcome = ''] = outcomes
  expect(outcomes).toEqual(outcomes.map(() => outcome))
  return outcome
}

/** Returns the entries that are not deleted, by start. */
function entriesOn({ view }: WalkDevice): readonly TimeEntry[] {
  return view.entries
    .all()
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
}

function askedOn({ view }: WalkDevice): readonly number[] {
  return (view.value('asked')?.questions ?? []).map(secondsAsked)
}

function shownOn(device: WalkDevice, now: number): readonly string[] {
  const asked = askedOn(device)
  const timer = device.view.value('timer')?.timer
  const unfinished = device.view.value('unfinished')?.sessions ?? []
  const elapsed = timer ? elapsedSeconds(timer, now) : 0
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

function countedOn(device: WalkDevice, now: number): number {
  const timer = device.view.value('timer')?.timer
  const shown = timer ? elapsedSeconds(timer, now) : 0
  return entriesOn(device).reduce((sum, each) => sum + each.durationSeconds, shown)
}

function entryAt(device: WalkDevice, words: readonly string[]): TimeEntry {
  const place = Number(words[1] ?? 1)
  const entry = entriesOn(device).at(place - 1)
  if (!entry) throw new Error(`The device has no entry ${place}`)
  return entry
}

/** Returns the session that the device offers on a card. */
function unfinishedOn({ view }: WalkDevice) {
  const [session] = view.value('unfinished')?.sessions ?? []
  if (!session) throw new Error('No session is unfinished')
  return session
}

/** Presses Track offline in the banner of a start that failed. */
async function trackOn(device: WalkDevice): Promise<void> {
  const action = device.view.value('banner')?.action
  if (action?.kind !== 'track-offline') throw new Error('No offer to track offline')
  const { sessionId } = action
  await device.press((draft) => trackOffline(draft, sessionId))
}

async function discardOn(device: WalkDevice): Promise<void> {
  await device.press((draft) => {
    const shown = draft.value('timer')?.timer
    const [unfinished] = draft.value('unfinished')?.sessions ?? []
    const id = shown?.sessionId ?? unfinished?.id
    const base = id === undefined ? undefined : draft.sessions.get(id)?.base
    if (!base) throw new Error('There is no session to discard')
    discardSession(draft, base)
  })
}

async function moveStart(by: Walker, seconds: number): Promise<void> {
  by.back = await by.device.press((draft) => {
    const timer = draft.value('timer')?.timer
    if (!timer) throw new Error('No timer')
    const { sessionId, startedAt } = timer
    const change = { startedAt: startedAt + seconds * 1000 }
    return applyChanges(draft, { timer: { sessionId, change } })
  })
}

/** Moves the timer, or the first entry, to another task. */
async function taskOn(by: Walker, taskId: string): Promise<void> {
  const { device } = by
  const timer = device.view.value('timer')?.timer
  await device.press((draft) => {
    if (timer) changeTimer(draft, timer.sessionId, { taskId })
    else
      by.back = applyChanges(draft, {
        entries: [editEntry(entryAt(device, []), { taskId }, draft.now)],
      })
  })
}

async function noteOn(by: Walker, words: readonly string[]): Promise<void> {
  const { device } = by
  const note = words[0] ?? ''
  const timer = device.view.value('timer')?.timer
  if (timer) return device.press((draft) => setNote(draft, timer.sessionId, note))
  const entry = entryAt(device, words)
  by.back = await device.press((draft) =>
    applyChanges(draft, { entries: [editEntry(entry, { note }, draft.now)] }),
  )
}

async function answerOn(device: WalkDevice, isWork: boolean): Promise<void> {
  await device.press((draft) => {
    for (const question of openQuestions(draft)) answerQuestion(draft, question, isWork)
  })
}
