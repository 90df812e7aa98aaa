/**
 * The events in logs, read as plain JSON, without the product's code: what a device has heard of, and
 * what a request holds.
 */

/** An event of a log. `at` is when it takes effect, as its device believed, in epoch milliseconds. */
export interface Heard {
  /** Unique among all sessions. */
  readonly key: string
  readonly session: string
  readonly writer: string
  readonly kind: string
  readonly at: number
  /** The keys of the events that it undoes. */
  readonly of: readonly string[]
  /** Where a cut is, in epoch milliseconds. */
  readonly to: number
  /** What never changes once a request has had the event. Of a text only that it was set. */
  readonly fixed: string
}

/** By the text, since two sessions rarely have the same. */
const parsed = new Map<string, { readonly session: string; readonly events: readonly Heard[] }>()

/** Returns the events in the text of a session's log. */
export function eventsIn(session: string, text: string | null): readonly Heard[] {
  if (text === null || !text.startsWith('[')) return []
  const known = parsed.get(text)
  if (known?.session === session) return known.events
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form is that of docs/log.md
  const [, first, writers, lines] = JSON.parse(text) as [number, number, string[], unknown[][]]
  let stamp = first
  const events = lines.map((line): Heard => {
    const [writer, seq, since, count, offset, , kind, ...fields] = line
    stamp += Number(since)
    const name = writers[Number(writer)] ?? ''
    const undone: unknown[] = kind === 'undo' && Array.isArray(fields[0]) ? fields[0] : []
    return {
      key: `${session} ${name}.${String(seq)}`,
      session,
      writer: name,
      kind: String(kind),
      at: stamp + Number(offset),
      of: undone.map((id) => `${session} ${String(id)}`),
      to: kind === 'cut' ? Number(fields[0]) : NaN,
      fixed: JSON.stringify([stamp, count, offset, kind, kind === 'set' ? [] : fields]),
    }
  })
  if (parsed.size > 5000) parsed.clear()
  parsed.set(text, { session, events })
  return events
}
