import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'
import { answered, rebase, sending } from './rebase.ts'
import { difference, edited } from './unsent.ts'
import type { Rebased, ToSend, Unsent } from './unsent.ts'
import { ENTRY } from './time-entry.ts'
import type { EntryPart, TimeEntry } from './time-entry.ts'

/** REBASE_RUNS=1000000 runs a long test. */
const RUNS = Number(process.env['REBASE_RUNS'] ?? 2000)

/**
 * Three devices with one entry, and a backend that stores only the time of the entry's last change.
 */
const DEVICES = 3

const EDITS = {
  times: (value: number): Partial<TimeEntry> => ({ endedAt: 60_000 - value * 1000 }),
  note: (value: number): Partial<TimeEntry> => ({ note: `note ${value}` }),
  deletion: (value: number): Partial<TimeEntry> => ({ deletedAt: value % 2 === 0 ? null : value }),
} satisfies Partial<Record<EntryPart, (value: number) => Partial<TimeEntry>>>
const EDITED_PARTS = ['times', 'note', 'deletion'] as const

interface Step {
  readonly device: number
  readonly kind: 'edit' | 'pull' | 'send' | 'arrive' | 'answer' | 'cut' | 'event'
  readonly part: (typeof EDITED_PARTS)[number]
  readonly value: number
  /** The delay in milliseconds, often zero, because clocks are coarse. */
  readonly pause: number
}

const STEPS = fc.array(
  fc.record<Step>({
    device: fc.nat({ max: DEVICES - 1 }),
    kind: fc.constantFrom('edit', 'edit', 'pull', 'send', 'arrive', 'answer', 'cut', 'event'),
    part: fc.constantFrom(...EDITED_PARTS),
    value: fc.nat({ max: 9 }),
    pause: fc.nat({ max: 2 }),
  }),
  { maxLength: 60 },
)

interface Request {
  readonly content: TimeEntry
  readonly toSend: ToSend<EntryPart>
}

class Server {
  now = 100_000
  /** Every state that the entry had. The last one is the present state. */
  readonly states: TimeEntry[] = []

  get entry(): TimeEntry | null {
    return this.states.at(-1) ?? null
  }

  /** Returns the entry after the request. An existing entry is not created again. */
  apply({ content, toSend }: Request): TimeEntry {
    const { entry } = this
    if (entry && toSend === 'new') return entry
    const next =
      entry && toSend !== 'new'
        ? { ...ENTRY.take(entry, content, toSend), updatedAt: this.now }
        : { ...content, createdAt: this.now, updatedAt: this.now }
    this.states.push(next)
    return next
  }
}

class Device {
  entry: TimeEntry | null = null
  unsent: Unsent<TimeEntry> | null = null
  /** The request on its way to the backend, or its answer on the way back. */
  request: Request | null = null
  answer: { readonly entry: TimeEntry; readonly isCreated: boolean } | null = null
  readonly server: Server

  constructor(server: Server) {
    this.server = server
  }

  edit(change: Partial<TimeEntry>): void {
    const before = this.entry
    if (!before) return
    const { now } = this.server
    const after = { ...before, ...change, updatedAt: now }
    this.take(edited(ENTRY, this.unsent, { before, after, now }))
  }

  learn(remote: TimeEntry | null): void {
    if (this.entry) this.take(rebase(ENTRY, this.unsent, this.entry, remote))
    else this.entry = remote
  }

  send(): void {
    if (!this.entry || !this.unsent || this.request || this.answer) return
    const toSend = difference(ENTRY, this.unsent, this.entry)
    if (toSend.length === 0) return
    this.request = { content: this.entry, toSend }
    this.unsent = sending(ENTRY, this.unsent, this.entry)
  }

  arrive(): void {
    if (!this.request) return
    const isThere = this.server.entry !== null
    const isCreated = this.request.toSend !== 'new' || !isThere
    this.answer = { entry: this.server.apply(this.request), isCreated }
    this.request = null
  }

  hear(): void {
    const { answer } = this
    this.answer = null
    if (!answer || !this.entry || !this.unsent) return
    if (answer.isCreated) this.take(answered(ENTRY, this.unsent, this.entry, answer.entry))
    else this.learn(answer.entry)
  }

  cut(): void {
    this.request = null
    this.answer = null
  }

  take({ value, unsent }: Rebased<TimeEntry>): void {
    this.entry = value
    this.unsent = unsent
  }
}

/**
 * Takes the steps. Then every device receives the remaining events and sends its remaining edits.
 */
function play(steps: readonly Step[], mayEdit: (step: Step) => boolean) {
  const server = new Server()
  const devices = Array.from({ length: DEVICES }, () => new Device(server))
  const [first] = devices
  const entry = testEntry({ id: 'e', start: 0, end: 60_000 })
  if (first) {
    first.take(edited(ENTRY, null, { before: null, after: entry, now: server.now }))
  }
  const lastEdits: Partial<Record<EntryPart, Partial<TimeEntry>>> = {}
  for (const step of steps) {
    const device = devices[step.device]
    server.now += step.pause
    if (step.kind === 'edit' && device?.entry && mayEdit(step)) {
      const change = EDITS[step.part](step.value)
      lastEdits[step.part] = change
      device.edit(change)
    }
    if (step.kind === 'pull' && server.entry) device?.learn(server.entry)
    if (step.kind === 'send') device?.send()
    if (step.kind === 'arrive') device?.arrive()
    if (step.kind === 'answer') device?.hear()
    if (step.kind === 'cut') device?.cut()
    // An event carries any state that the entry had at some time.
    const state = server.states[step.value % (server.states.length || 1)]
    if (step.kind === 'event' && state) device?.learn(state)
  }
  for (let round = 0; round < 2 * DEVICES + 2; round++) {
    for (const device of devices) {
      server.now += 1
      device.cut()
      if (server.entry) device.learn(server.entry)
      device.send()
      device.arrive()
      device.hear()
    }
  }
  return { server, devices, lastEdits }
}

function isOfOwnPart({ device, part }: Step): boolean {
  return EDITED_PARTS[device] === part
}

test('Three devices end with the same entry, whatever is edited and whichever requests are cut', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const { server, devices } = play(steps, () => true)
      for (const { entry, unsent } of devices) {
        const waiting = entry && unsent ? difference(ENTRY, unsent, entry) : []
        // An entry that was deleted before it was sent exists only on the device that made it.
        expect({ entry, waiting }).toEqual({ entry: server.entry ?? entry, waiting: [] })
      }
    }),
    {
      numRuns: RUNS,
      examples: [
        [
          (
            [
              [0, 'send'],
              [0, 'edit'],
              [0, 'cut'],
              [0, 'send'],
              [0, 'arrive'],
              [1, 'pull'],
            ] as const
          ).map(([device, kind]): Step => ({ device, kind, part: 'times', value: 1, pause: 0 })),
        ],
      ],
    },
  )
})

test('The last edit of each part stays when each device edits another part', () => {
  // Sent again with an edit, while the result of the first try is unknown.
  const resent = (['send', 'edit', 'arrive', 'cut', 'send'] as const).map((kind): Step => {
    return { device: 0, kind, part: 'times', value: 1, pause: 0 }
  })
  fc.assert(
    fc.property(STEPS, (steps) => {
      const { server, lastEdits } = play(steps, isOfOwnPart)
      expect(server.entry ?? {}).toMatchObject(
        server.entry ? Object.assign({}, ...Object.values(lastEdits)) : {},
      )
    }),
    { numRuns: RUNS, examples: [[resent]] },
  )
})

test('The order of edits of different parts does not matter', () => {
  const values = fc.record({ times: fc.nat(9), note: fc.nat(9), deletion: fc.nat(9) })
  const order = fc.shuffledSubarray([...EDITED_PARTS], { minLength: EDITED_PARTS.length })
  fc.assert(
    fc.property(values, order, order, (value, some, others) => {
      const end = (parts: readonly (typeof EDITED_PARTS)[number][]) => {
        const base = testEntry({ id: 'e', start: 0, end: 60_000 })
        let [entry, remote] = [base, base]
        let unsent: Unsent<TimeEntry> | null = null
        for (const [now, part] of parts.entries()) {
          const after: TimeEntry = { ...entry, ...EDITS[part](value[part]) }
          unsent = edited(ENTRY, unsent, { before: entry, after, now }).unsent
          entry = after
          // Another device changes the task at some time in between.
          remote = { ...base, taskId: 'other', updatedAt: base.updatedAt + 1 }
        }
        const { updatedAt: _, ...merged } = rebase(ENTRY, unsent, entry, remote).value
        return merged
      }
      expect(end(some)).toEqual(end(others))
    }),
  )
})

test('A second rebase changes nothing, and no sent change is left to send', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const { server } = play(steps, () => true)
      const base = server.entry ?? testEntry({ id: 'e', start: 0, end: 60_000 })
      for (const { part, value } of steps) {
        const after = { ...base, ...EDITS[part](value) }
        const { unsent } = edited(ENTRY, null, { before: base, after, now: server.now })
        if (!unsent) continue
        const once = rebase(ENTRY, unsent, after, base)
        expect(rebase(ENTRY, once.unsent, once.value, base)).toEqual(once)
        const arrived = { ...after, updatedAt: server.now + 1 }
        const underway = sending(ENTRY, unsent, after)
        for (const step of [rebase, answered]) {
          expect(step(ENTRY, underway, after, arrived)).toMatchObject({ unsent: null, toSend: [] })
        }
      }
    }),
    { numRuns: 50 },
  )
})
