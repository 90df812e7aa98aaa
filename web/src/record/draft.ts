/**
 * The record as one change sees it: what is in memory, with what the change has put and removed so far.
 * Memory is what the database holds: it changes when the transaction is committed.
 */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { EntryPages } from './entry-pages.ts'
import type { Edit, Operation, QueuedOperation, Value, ValueKey, ValueOf } from './stored.ts'

/** The record in memory. */
export interface Memory {
  revision: number
  sequence: number
  tasks: Map<string, Task>
  values: Map<string, Value>
  edits: Map<string, Edit>
  operations: Map<number, QueuedOperation>
  entries: EntryPages
}

/** The memory of a record that has nothing in it. */
export function emptyMemory(): Memory {
  return {
    revision: 0,
    sequence: 0,
    tasks: new Map(),
    values: new Map(),
    edits: new Map(),
    operations: new Map(),
    entries: new EntryPages(),
  }
}

interface Kept<K, V> {
  readonly get: (key: K) => V | undefined
  readonly values: () => Iterable<V>
}

/** Records of one kind, by key: those in memory with the changes over them. */
class Table<K extends string | number, V extends object> {
  readonly changed: Map<K, V | null>
  readonly #kept: Kept<K, V>
  readonly #keyOf: (value: V) => K

  constructor(kept: Kept<K, V>, keyOf: (value: V) => K, under?: Table<K, V>) {
    this.#kept = kept
    this.#keyOf = keyOf
    this.changed = new Map(under?.changed)
  }

  get(key: K): V | undefined {
    const changed = this.changed.get(key)
    return changed === undefined ? this.#kept.get(key) : (changed ?? undefined)
  }

  /** In the order in which they were added. */
  all(): V[] {
    const kept = [...this.#kept.values()]
    if (this.changed.size === 0) return kept
    const all = new Map<K, V | null>(kept.map((value) => [this.#keyOf(value), value]))
    for (const [key, value] of this.changed) all.set(key, value)
    return [...all.values()].filter((value) => value !== null)
  }

  put(value: V): void {
    this.changed.set(this.#keyOf(value), value)
  }

  remove(key: K): void {
    if (this.get(key) !== undefined) this.changed.set(key, null)
  }

  /** Makes the changes in memory. */
  applyTo(kept: Map<K, V>): void {
    for (const [key, value] of this.changed) {
      if (value === null) kept.delete(key)
      else kept.set(key, value)
    }
  }
}

/** The key of an edit among all edits. */
export function editKey({ kind, id }: Pick<Edit, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}

export class Draft {
  readonly tasks: Table<string, Task>
  /** One that its owner deleted is kept with the time of that; removed, it is forgotten. */
  readonly entries: Table<string, TimeEntry>
  readonly values: Table<string, Value>
  readonly edits: Table<string, Edit>
  readonly operations: Table<number, QueuedOperation>
  readonly #memory: Memory
  #sequence: number

  /** Begins with the changes of `under`, which are not written yet. */
  constructor(memory: Memory, under: Draft | null = null) {
    this.tasks = new Table(memory.tasks, ({ id }) => id, under?.tasks)
    this.entries = new Table(memory.entries, ({ id }) => id, under?.entries)
    this.values = new Table<string, Value>(memory.values, ({ key }) => key, under?.values)
    this.edits = new Table(memory.edits, editKey, under?.edits)
    this.operations = new Table(memory.operations, ({ sequence }) => sequence, under?.operations)
    this.#memory = memory
    this.#sequence = Math.max(memory.sequence, under ? under.#sequence : 0)
  }

  /** The value under that key, typed by it. */
  value<K extends ValueKey>(key: K): ValueOf<K> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a value is stored under its own key, so the key tells its type
    return this.values.get(key) as ValueOf<K> | undefined
  }

  /** Puts a value; the same again changes nothing. */
  putValue(value: Value): void {
    const known = this.values.get(value.key)
    if (JSON.stringify(known) !== JSON.stringify(value)) this.values.put(value)
  }

  edit<K extends Edit['kind']>(kind: K, id: string): Edit<K> | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key of an edit begins with its kind
    return this.edits.get(editKey({ kind, id })) as Edit<K> | undefined
  }

  /**
   * Queues an operation behind the others. The fraction keeps two tabs apart of which one could not write
   * for a while: neither takes the other's operation for its own.
   */
  addOperation(operation: Operation): void {
    this.#sequence = Math.floor(this.#sequence) + 1 + Math.random()
    this.operations.put({ sequence: this.#sequence, operation, attempts: 0, refused: null })
  }

  /** What has been changed so far: to be written, and then to be applied. */
  changes(): Changes {
    const memory = this.#memory
    const { tasks, values, edits, operations, entries } = this
    const pages = memory.entries.change(entries.changed)
    const written = {
      tasks: tasks.changed,
      values: values.changed,
      edits: edits.changed,
      operations: operations.changed,
      pages: pages.pages,
    }
    return {
      written,
      sequence: this.#sequence,
      isEmpty: Object.values(written).every((changed) => changed.size === 0),
      hasWork: [edits, operations].some(({ changed }) =>
        [...changed.values()].some((value) => value !== null),
      ),
      apply() {
        tasks.applyTo(memory.tasks)
        values.applyTo(memory.values)
        edits.applyTo(memory.edits)
        operations.applyTo(memory.operations)
        pages.apply()
      },
    }
  }
}

/** By store and key; null: removed. */
export type Written = Readonly<
  Record<
    'tasks' | 'values' | 'edits' | 'operations' | 'pages',
    ReadonlyMap<string | number, object | null>
  >
>

export interface Changes {
  readonly written: Written
  /** The last number that an operation was given. */
  readonly sequence: number
  readonly isEmpty: boolean
  /** There is something that the backend must hear. */
  readonly hasWork: boolean
  /** Brings memory to what was written. */
  readonly apply: () => void
}
