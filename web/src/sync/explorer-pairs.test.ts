import { duplicateEntry } from '@stint/core/record/entry-edit.ts'
import { IS_LONG, IS_SHORT } from '@stint/testing/size.ts'
import { MAX_TEST } from '@stint/testing/waits.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { find } from '#backend/find-document.ts'
import { EXHAUSTIVE, exploreWithFigures, ofPart } from '#test/explorer/figures.ts'
import { STINT, STINT_WITH_ENTRIES } from '#test/explorer/operations.ts'
import { concernsEntries, OPERATION_NAMES, scenarioOf } from '#test/explorer/pairs.ts'
import type { OperationName } from '#test/explorer/pairs.ts'
import type { Exploration, Limits, Program } from '#test/explorer/scenario.ts'

import type { SyncContext } from './context.ts'

vi.mock(import('#record/database.ts'), async (importOriginal) => {
  const { memoryDatabase } = await import('#test/memory-database.ts')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the record asks for no more of it
  return { ...(await importOriginal()), ...(memoryDatabase as object) }
})

/** The faults that a test plants into the product's code. */
const planted = vi.hoisted(() => ({ isShowedLeftOut: false }))

vi.mock(import('@stint/core/log/order.ts'), async (importOriginal) => {
  const order = await importOriginal()
  const nextEvent: typeof order.nextEvent = (log, device, press, heard) => {
    const isLeftOut = planted.isShowedLeftOut && press.action.kind === 'showed'
    return order.nextEvent(log, device, isLeftOut ? { ...press, at: 0 } : press, heard)
  }
  return { ...order, nextEvent }
})

const TIMEOUT = EXHAUSTIVE ? 10_800_000 : MAX_TEST

const NO_FAULTS: Limits = { faults: 0, looks: 0 }

type Pair = readonly [OperationName, OperationName]

const PAIRS = ofPart(
  // Undo is two presses, and everything can happen after each of them: it has ten times as many orders.
  OPERATION_NAMES.flatMap((first) => OPERATION_NAMES.map((second): Pair => [first, second])).filter(
    (pair) => !IS_SHORT || !pair.includes('undo'),
  ),
)

describe('two devices that have not heard of each other, while a third looks on', () => {
  test.each(PAIRS)(
    '%s and %s on two devices: nothing is lost, doubled, invented or unsent, and all devices agree',
    async (...pair) => {
      const scenario = scenarioOf(pair)
      const program = concernsEntries(pair) ? STINT_WITH_ENTRIES : STINT
      for (const limits of limitsOf(pair)) {
        const found = await exploreWithFigures(program, scenario, limits)
        const { states, violations } = found
        expect(violations, `with ${JSON.stringify(limits)}`).toEqual({})
        expect(states).toBeGreaterThan(1)
      }
    },
    TIMEOUT,
  )
})

describe('the judge of pairs', () => {
  test('The judge of pairs finds a forgotten pause', async () => {
    const program: Program = {
      ...STINT,
      press: async (context, press, undo) =>
        press.action === 'pause' ? null : STINT.press(context, press, undo),
    }
    const { violations } = await explorePair(program, ['pause', 'edit'], NO_FAULTS)
    expect(Object.keys(violations)).toContain('invented')
  })

  test('The judge of pairs finds a duplicate entry', async () => {
    const program: Program = {
      ...STINT,
      async press(context, press, undo) {
        await context.record.takeIn((draft) => {
          const [saved] = draft.entries.all()
          const again = saved && duplicateEntry(saved, `again ${press.client}`, press.at)
          if (again) applyChanges(draft, { entries: [again] })
        })
        return STINT.press(context, press, undo)
      },
    }
    const { violations } = await explorePair(program, ['stop', 'stop'], NO_FAULTS)
    expect(Object.keys(violations)).toContain('doubled')
  })

  test('The judge of pairs finds news that takes work from a screen without a question', async () => {
    planted.isShowedLeftOut = true
    onTestFinished(() => {
      planted.isShowedLeftOut = false
    })
    const { violations } = await explorePair(STINT, ['stop', 'edit'], { faults: 0, looks: 1 })
    expect(Object.keys(violations)).toEqual(expect.arrayContaining(['lost', 'taken']))
  })

  test('The judge of pairs finds an edit that does not arrive', async () => {
    const program = withBackend((backend) => ({
      ...backend,
      async update(collection, id, data, unchangedSince) {
        const known = collection === 'time_entries' ? await find(backend, collection, id) : null
        return known ? { ...known, ...data } : backend.update(collection, id, data, unchangedSince)
      },
    }))
    const { violations } = await explorePair(program, ['edit', 'stop'], NO_FAULTS)
    expect(Object.keys(violations)).toContain('unsettled')
  })
})

/** Returns the product's code on a changed backend. */
function withBackend(change: (backend: SyncContext['backend']) => SyncContext['backend']): Program {
  const changed = (context: SyncContext) => ({ ...context, backend: change(context.backend) })
  return {
    press: (context, press, undo) => STINT.press(context, press, undo),
    flush: (context) => STINT.flush(changed(context)),
    refresh: (context) => STINT.refresh(changed(context)),
    reopen: (context) => STINT.reopen(changed(context)),
  }
}

function explorePair(program: Program, pair: Pair, limits: Limits): Promise<Exploration> {
  return exploreWithFigures(program, scenarioOf(pair), limits)
}

function limitsOf(pair: Pair): readonly Limits[] {
  const hasUndo = pair.includes('undo')
  if (EXHAUSTIVE)
    // Undo is two presses. With one more fault each of its pairs takes hours.
    return [
      { faults: hasUndo ? 1 : 2, looks: 0 },
      { faults: hasUndo ? 0 : 1, looks: 0, restores: 1 },
    ]
  const [first, second] = pair.map((name) => OPERATION_NAMES.indexOf(name))
  const isOtherOrder = Number(first) > Number(second)
  if (!IS_LONG || isOtherOrder || hasUndo) return [NO_FAULTS]
  return [
    { faults: 1, looks: 0 },
    { faults: 0, looks: 0, restores: 1 },
  ]
}
