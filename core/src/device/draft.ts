/**
 * The record as one change sees it: the memory, overlaid with what the change has put and removed so far. Memory
 * changes only when the transaction is committed.
 */
import { EntryPages } from '#record/entry-pages.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import type { Edit, LocalSession, Value, ValueKey, ValueOf } from './stored.ts'

/** Returns the memory of an empty record. `writer` is the name of this copy in logs: each page has a new one. */
export function emptyMemory(writer: string) {
  return {
    revision: 0,
    writer,
    tasks: new Map<string, Task>(),
    values: new Map<string, Value>(),
    edits: new Map<string, Edit>(),
    sessions: new Map<string, LocalSession>(),
    entries: new EntryPages(),
  }
}
/** The record in memory. */
export type Memory = ReturnType<typeof emptyMemory>

/** Events of one session. */
export interface EventIds {
  readonly sessionId: string
  readonly ids: readonly string[]
}

interface Kept<V> {
  readonly get: (key: string) => V | undefined
  readonly values: () => Iterable<V>
}

/** Records of one kind by key: those in memory, overlaid with the changes. */
class Table<V extends object> {
  readonly changed: Map<string, V | null>
  readonly #kept: Kept<V>
  readonly #keyOf: (value: V) => string

  constructor(kept: Kept<V>, keyOf: (value: V) => string, under?: Table<V>) {
    this.#kept = kept
    this.#keyOf = keyOf
    this.changed = new Map(under?.changed)
  }

  get(key: string): V | undefined {
    const changed = this.changed.get(key)
    return changed === undefined ? this.#kept.get(key) : (changed ?? undefined)
  }

  /** Returns all records in the order in which they were added. */
  all(): V[] {
    const kept = [...this.#kept.values()]
    if (this.changed.size === 0) return kept
    const all = new Map<string, V | null>(kept.map((value) => [this.#keyOf(value), value]))
    for (const [key, value] of this.changed) all.set(key, value)
    return [...all.values()].filter((value) => value !== null)
  }

  put(value: V): void {
    this.changed.set(this.#keyOf(value), value)
  }

  remove(key: string): void {
    if (this.get(key) !== undefined) this.changed.set(key, null)
  }

  applyTo(kept: Map<string, V>): void {
    for (const [key, value] of this.changed) {
      if (value === null) kept.delete(key)
      else kept.set(key, value)
    }
  }
}

export function editKey({ kind, id }: Pick<Edit, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}

export class Draft {
  readonly tasks: Table<Task>
  /** A deleted entry stays here with the time of its deletion. A removed entry is forgotten. */
  readonly entries: Table<TimeEntry>
  readonly values: Table<Value>
  readonly edits: Table<Edit>
  readonly sessions: Table<LocalSession>
  readonly writer: string
  /** The events that this change has appended. */
  readonly appended: EventIds[] = []
  /** The sessions whose logs this change has put. */
  readonly settled = new Set<string>()
  /** The moment of this change: epoch milliseconds of server time. */
  now = 0
  /** Whether the server has confirmed the clock that times this change. */
  isSure = true
  readonly #memory: Memory

  /** Creates a draft that begins with the changes of `under`, which are not written yet. */
  constructor(memory: Memory, under: Draft | null = null) {
    this.tasks = new Table(memory.tasks, ({ id }) => id, under?.tasks)
    this.entries = new Table(memory.entries, ({ id }) => id, under?.entries)
    this.values = new Table<Value>(memory.values, ({ key }) => key, under?.values)
    this.edits = new Table(memory.edits, editKey, under?.edits)
    this.sessions = new Table(memory.sessions, ({ id }) => id, under?.sessions)
    this.writer = memory.writer
    this.#memory = memory
  }

  value<K extends ValueKey>(key: K): ValueOf<K> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a value is stored under its own key, so the key tells its type
    return this.values.get(key) as ValueOf<K> | undefined
  }

  /** Puts a value. Putting an equal value changes nothing. */
  putValue(value: Value): void {
    const known = this.values.get(value.key)
    if (JSON.stringify(known) !== JSON.stringify(value)) this.values.put(value)
  }

  edit<K extends Edit['kind']>(kind: K, id: string): Edit<K> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key of an edit begins with its kind
    return this.edits.get(editKey({ kind, id })) as Edit<K> | undefined
  }

  /** Whether anything was put or removed so far. */
  get isChanged(): boolean {
    const { tasks, values, edits, sessions, entries } = this
    return [tasks, values, edits, sessions, entries].some(({ changed }) => changed.size > 0)
  }

  /** Returns the changes so far, which the caller writes and then applies. */
  changes() {
    const memory = this.#memory
    const { tasks, values, edits, sessions, entries } = this
    const pages = memory.entries.change(entries.changed)
    const written: Written = {
      tasks: tasks.changed,
      values: values.changed,
      edits: edits.changed,
      sessions: sessions.changed,
      pages: pages.pages,
    }
    const sent = [...edits.changed.values(), ...sessions.changed.values()]
    return {
      written,
      /** Whether something must be sent to the backend. */
      hasWork: sent.some((value) => value !== null),
      /** Applies the written changes to memory. */
      apply() {
        tasks.applyTo(memory.tasks)
        values.applyTo(memory.values)
        edits.applyTo(memory.edits)
        sessions.applyTo(memory.sessions)
        pages.apply()
      },
    }
  }
}

/** A read-only view of the record. */
export type View = Pick<Draft, 'value' | 'edit' | 'writer'> & {
  readonly [T in 'tasks' | 'entries' | 'edits' | 'sessions']: Pick<Draft[T], 'get' | 'all'>
}

type Store = 'tasks' | 'values' | 'edits' | 'sessions' | 'pages'
/** Written records by store and key. Null removes one. */
export type Written = Readonly<Record<Store, ReadonlyMap<string | number, object | null>>>

export type Changes = ReturnType<Draft['changes']>
