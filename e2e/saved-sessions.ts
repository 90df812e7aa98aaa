/**
 * A ledger of edited sessions: the original time of each, every change with its device, and the
 * expected result. It uses none of the product's code.
 */
import { both, length, longerThan, union, without } from '../web/src/test/simulation/spans.ts'
import type { Span } from '../web/src/test/simulation/spans.ts'
import type { Row } from './walked-rows.ts'

/** One row of a session, or of a part that was split off. */
export interface Part extends Span {
  readonly note: string
}

/** A saved session, in all its current parts. */
export interface SavedSession {
  readonly task: string
  readonly whole: Span
  /** The parts as the screen of the last editing device showed them. */
  parts: readonly Part[]
  /** As it was before what can still be undone; null: that was changed by several devices, and nobody knows. */
  before: readonly Part[] | null
  /** Trimmed or deleted, or perhaps: nothing of it must be there. */
  released: readonly Span[]
  /** The devices that have changed it since all devices last agreed. */
  readonly editors: Set<number>
  /** True if several devices changed it: the parts may then be those of any of them. */
  isContested: boolean
}

export class SavedSessions {
  #all: readonly SavedSession[] = []

  /** Adds a session. */
  add(task: string, { start, end }: Span, editor: number | null): SavedSession {
    const parts = [{ start, end, note: '' }]
    const session: SavedSession = {
      task,
      whole: { start, end },
      parts,
      before: parts,
      released: [],
      editors: new Set(editor === null ? [] : [editor]),
      isContested: false,
    }
    this.#all = [...this.#all, session]
    return session
  }

  /** Returns the session whose time contains an instant. */
  at(task: string, instant: number): SavedSession | undefined {
    return this.#all.find(
      ({ task: its, whole }) => its === task && whole.start <= instant && instant < whole.end,
    )
  }

  /**
   * Records that a device changed one of its parts into `after`, which is empty if it was deleted.
   */
  change(session: SavedSession, part: Span, after: readonly Part[], device: number): void {
    session.editors.add(device)
    session.isContested ||= session.editors.size > 1
    session.before = session.parts
    session.released = union(session.released, without([part], after))
    session.parts = [...session.parts.filter((each) => !isSame(each, part)), ...after]
  }

  /** Records that the last change was undone. */
  undo(session: SavedSession, device: number): void {
    session.editors.add(device)
    session.isContested ||= session.editors.size > 1 || session.before === null
    session.parts = session.before ?? session.parts
  }

  /** Returns the violations in the rows, as sentences. */
  problems(rows: readonly Row[]): string[] {
    const strangers = rows.filter((row) => !this.at(row.task, row.start))
    return [
      ...strangers.map((row) => `stranger: ${row.task} ${inWords(row)}`),
      ...this.#all.flatMap((session) => problemsOf(session, this.#rowsOf(session, rows))),
    ]
  }

  /** Accepts the rows as the new state after all devices agreed. */
  settle(rows: readonly Row[]): void {
    for (const session of this.#all) {
      const parts = this.#rowsOf(session, rows)
      session.parts = parts.map(({ start, end, note }) => ({ start, end, note }))
      session.released = without([session.whole], session.parts)
      if (session.isContested) session.before = null
      session.editors.clear()
      session.isContested = false
    }
  }

  #rowsOf(session: SavedSession, rows: readonly Row[]): Row[] {
    return rows.filter((row) => this.at(row.task, row.start) === session)
  }
}

function problemsOf(session: SavedSession, rows: readonly Row[]): string[] {
  const { whole, parts, released, isContested, task } = session
  const wrong: string[] = []
  const counted = union(rows)
  const about = `${task} ${inWords(whole)}`
  const lost = longerThan(without([whole], [...released, ...counted]), 0)
  if (lost.length > 0) wrong.push(`lost: ${about}: ${lost.map(inWords).join(', ')}`)
  const twice = length(rows) - length(counted)
  if (twice > 0) {
    wrong.push(`doubled: ${about}: ${twice / 1000} s of ${rows.map(inWords).join(', ')}`)
  }
  const beyond = without(counted, [whole])
  if (beyond.length > 0) wrong.push(`invented: ${about}: ${beyond.map(inWords).join(', ')}`)
  if (isContested) return wrong
  const [is, must] = [rows, parts].map((each) => each.map(partInWords).toSorted().join(', '))
  if (is !== must) wrong.push(`not as shown: ${about} is ${is || 'gone'} for ${must || 'nothing'}`)
  return wrong
}

/** Returns whether two parts have the same time. */
function isSame(one: Span, other: Span): boolean {
  return one.start === other.start && both([one], [other]).length > 0
}

function partInWords(part: Part): string {
  return `${inWords(part)} '${part.note}'`
}

function inWords({ start, end }: Span): string {
  return `${new Date(start).toISOString().slice(0, 19)} – ${new Date(end).toISOString().slice(11, 19)}`
}
