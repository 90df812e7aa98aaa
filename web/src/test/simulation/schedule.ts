/**
 * Schedules: presses and faults, as plain data that can be generated at random, shortened and
 * printed in words.
 */
import * as fc from 'fast-check'

import type { RequestFault } from './network.ts'

export const DEVICES = ['laptop', 'phone', 'tablet'] as const
export const TASKS = ['Alpha', 'Beta', 'Gamma'] as const

/** A press. `task` is an index into TASKS. */
export type PressStep =
  | { readonly press: 'start'; readonly task: number; readonly agoSeconds: number }
  | { readonly press: 'move'; readonly agoSeconds: number }
  | { readonly press: 'delete task'; readonly task: number }
  | { readonly press: 'trim' | 'split'; readonly share: number }
  | { readonly press: 'card'; readonly answer: 'resume' | 'save' | 'discard' }
  | { readonly press: 'gap'; readonly answer: 'keep' | 'take out' }
  | { readonly press: PlainPress }

/** Presses of buttons without further input. */
type PlainPress =
  | 'pause'
  | 'resume'
  | 'stop'
  | 'banner'
  | 'dismiss'
  | 'undo stop'
  | 'note'
  | 'timer note'
  | 'delete entry'
  | 'undo'

export type Step =
  | { readonly kind: 'time'; readonly milliseconds: number }
  | {
      readonly kind: 'press'
      readonly device: number
      readonly task: number
      readonly what: PressStep
    }
  | { readonly kind: 'network'; readonly device: number; readonly isOnline: boolean }
  | {
      readonly kind: 'request'
      readonly device: number
      readonly nth: number
      readonly fault: RequestFault
    }
  | { readonly kind: 'write'; readonly device: number; readonly isLost: boolean }
  | { readonly kind: 'kill' | 'open' | 'focus'; readonly device: number }
  | { readonly kind: 'clock'; readonly device: number; readonly minutes: number }
  | { readonly kind: 'backup' | 'restore' }

/** The possible faults. Each kind can be left out. */
export interface Faults {
  /** A device has no network for a while. */
  readonly offline: boolean
  /** A request does not arrive. */
  readonly cutBefore: boolean
  /** A request arrives, but its answer does not. */
  readonly cutAfter: boolean
  /** An answer comes seconds late, or after the device's timeout. */
  readonly late: boolean
  /** A device dies at any moment, at a request, or in the middle of a write. */
  readonly kill: boolean
  /** A device's clock is set, while it runs or before it boots. */
  readonly clock: boolean
  /** The server is restored from an earlier state. */
  readonly restore: boolean
}

/** The possible presses in addition to start, pause, resume and stop. */
export interface Presses {
  readonly move: boolean
  readonly deleteTask: boolean
  readonly edits: boolean
  readonly undo: boolean
  readonly undoStop: boolean
  readonly banner: boolean
  readonly cards: boolean
  /** Notes on the running timer. They have a search of their own, so that the seeds of others stay. */
  readonly timerNotes: boolean
}

export const ALL_FAULTS: Faults = {
  offline: true,
  cutBefore: true,
  cutAfter: true,
  late: true,
  kill: true,
  clock: true,
  restore: true,
}

export const ALL_PRESSES: Presses = {
  move: true,
  deleteTask: true,
  edits: true,
  undo: true,
  undoStop: true,
  banner: true,
  cards: true,
  timerNotes: false,
}

type Weighted<T> = { readonly weight: number; readonly arbitrary: fc.Arbitrary<T> }

/** Returns an arbitrary of schedules with a limited number of steps. */
export function anySchedule(
  faults: Faults,
  presses: Presses,
  maxSteps: number,
): fc.Arbitrary<readonly Step[]> {
  const device = fc.integer({ min: 0, max: DEVICES.length - 1 })
  const press = fc
    .tuple(device, anyPress(presses), fc.integer({ min: 0, max: TASKS.length - 1 }))
    .map(([at, what, task]): Step => ({ kind: 'press', device: at, what, task }))
  return fc.array(fc.oneof({ weight: 10, arbitrary: press }, ...others(device, faults)), {
    minLength: Math.ceil(maxSteps / 2),
    maxLength: maxSteps,
    size: 'max',
  })
}

function others(device: fc.Arbitrary<number>, faults: Faults): Weighted<Step>[] {
  const time = (min: number, max: number) =>
    fc.integer({ min, max }).map((milliseconds): Step => ({ kind: 'time', milliseconds }))
  const steps: Weighted<Step>[] = [
    { weight: 3, arbitrary: time(1, 400) },
    { weight: 5, arbitrary: time(400, 20_000) },
    { weight: 1, arbitrary: time(20_000, 400_000) },
    { weight: 1, arbitrary: device.map((at): Step => ({ kind: 'focus', device: at })) },
  ]
  const add = (weight: number, arbitrary: fc.Arbitrary<Step>) =>
    void steps.push({ weight, arbitrary })
  if (faults.offline) {
    add(
      2,
      fc
        .tuple(device, fc.boolean())
        .map(([at, isOnline]): Step => ({ kind: 'network', device: at, isOnline })),
    )
  }
  const requestFaults: RequestFault[] = [
    ...(faults.cutBefore ? (['cut before'] as const) : []),
    ...(faults.cutAfter ? (['cut after'] as const) : []),
    ...(faults.late ? (['late'] as const) : []),
    ...(faults.kill ? (['die before', 'die after'] as const) : []),
  ]
  if (requestFaults.length > 0) {
    add(
      2,
      fc
        .tuple(device, fc.integer({ min: 1, max: 6 }), fc.constantFrom(...requestFaults))
        .map(([at, nth, fault]): Step => ({ kind: 'request', device: at, nth, fault })),
    )
  }
  if (faults.kill) {
    add(
      1,
      fc
        .tuple(device, fc.boolean())
        .map(([at, isLost]): Step => ({ kind: 'write', device: at, isLost })),
    )
    add(
      1,
      device.map((at): Step => ({ kind: 'kill', device: at })),
    )
    add(
      2,
      device.map((at): Step => ({ kind: 'open', device: at })),
    )
  }
  if (faults.clock) {
    add(
      1,
      fc
        .tuple(device, fc.constantFrom(-180, -120, -7, 7, 120, 180))
        .map(([at, minutes]): Step => ({ kind: 'clock', device: at, minutes })),
    )
  }
  if (faults.restore) {
    add(1, fc.constantFrom<Step[]>({ kind: 'backup' }, { kind: 'restore' }))
  }
  return steps
}

function anyPress(presses: Presses): fc.Arbitrary<PressStep> {
  const task = fc.integer({ min: 0, max: TASKS.length - 1 })
  const choices: Weighted<PressStep>[] = []
  const add = (weight: number, arbitrary: fc.Arbitrary<PressStep>) =>
    void choices.push({ weight, arbitrary })
  const just = (weight: number, ...kinds: PlainPress[]) =>
    add(weight, fc.constantFrom(...kinds.map((press): PressStep => ({ press }))))
  add(
    8,
    task.map((each): PressStep => ({ press: 'start', task: each, agoSeconds: 0 })),
  )
  just(10, 'pause', 'resume')
  just(6, 'stop')
  if (presses.move) {
    add(
      2,
      fc
        .integer({ min: 1, max: 1800 })
        .map((agoSeconds): PressStep => ({ press: 'move', agoSeconds })),
    )
  }
  if (presses.deleteTask) {
    add(
      1,
      task.map((each): PressStep => ({ press: 'delete task', task: each })),
    )
  }
  if (presses.edits) {
    just(2, 'note')
    just(1, 'delete entry')
    const share = fc.constantFrom(0.25, 0.5, 0.75)
    add(
      2,
      fc
        .tuple(fc.constantFrom('trim' as const, 'split' as const), share)
        .map(([each, of]): PressStep => ({ press: each, share: of })),
    )
  }
  if (presses.timerNotes) just(6, 'timer note')
  if (presses.undo) just(2, 'undo')
  if (presses.undoStop) just(2, 'undo stop')
  if (presses.banner) {
    just(4, 'banner')
    just(1, 'dismiss')
  }
  if (presses.cards) {
    add(
      1,
      fc
        .constantFrom('resume' as const, 'save' as const, 'discard' as const)
        .map((answer): PressStep => ({ press: 'card', answer })),
    )
    add(
      1,
      fc
        .constantFrom('keep' as const, 'take out' as const)
        .map((answer): PressStep => ({ press: 'gap', answer })),
    )
  }
  return fc.oneof(...choices)
}

/** Returns a schedule in words, one step a line. */
export function inWords(steps: readonly Step[]): string {
  return steps
    .map((step, index) => `${String(index + 1).padStart(3)}. ${stepInWords(step)}`)
    .join('\n')
}

function stepInWords(step: Step): string {
  const at = 'device' in step ? (DEVICES[step.device] ?? '') : ''
  switch (step.kind) {
    case 'time':
      return `${step.milliseconds / 1000} s pass`
    case 'press':
      return `${at}: presses ${pressInWords(step.what)} [${TASKS[step.task] ?? ''}]`
    case 'network':
      return `${at}: ${step.isOnline ? 'has a network again' : 'loses the network'}`
    case 'request':
      return `${at}: request ${step.nth} from now: ${step.fault}`
    case 'write':
      return `${at}: dies at its next write, which is ${step.isLost ? 'lost' : 'kept'}`
    case 'kill':
      return `${at}: is killed`
    case 'open':
      return `${at}: is opened again`
    case 'focus':
      return `${at}: is looked at`
    case 'clock':
      return `${at}: its clock is set ${Math.abs(step.minutes)} min ${step.minutes < 0 ? 'back' : 'ahead'}`
    case 'backup':
      return 'the server is backed up'
    case 'restore':
      return 'the server comes back from its last backup'
  }
}

function pressInWords(what: PressStep): string {
  switch (what.press) {
    case 'start':
      return `start ${TASKS[what.task] ?? ''}`
    case 'move':
      return `'started ${what.agoSeconds} s ago'`
    case 'delete task':
      return `delete ${TASKS[what.task] ?? ''}`
    case 'trim':
    case 'split':
      return `${what.press} at ${what.share}`
    case 'card':
    case 'gap':
      return `${what.answer} on the ${what.press}`
    default:
      return what.press
  }
}
