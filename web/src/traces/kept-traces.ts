/** Everything that is done with traces. It runs in a worker, so that the page neither waits nor holds them. */
import { ghostsOf } from '@stint/core/traces/ghosts.ts'
import type { Dismissal, Ghost, GhostInput, Proof } from '@stint/core/traces/ghosts.ts'
import { plannedEvents } from '@stint/core/traces/planned.ts'
import { PRESENCE_SOURCE, withPresence } from '@stint/core/traces/presence.ts'
import { isCalendar, readTraces } from '@stint/core/traces/read-traces.ts'
import { MAX_TRACE_RULES } from '@stint/core/traces/rules.ts'
import type { TraceRule } from '@stint/core/traces/rules.ts'
import { keptRange, moved } from '@stint/core/traces/trace.ts'
import type { Trace, TraceKind, TraceOptions, TraceReading } from '@stint/core/traces/trace.ts'
import { t } from '@stint/core/text.ts'
import type { Interval } from '@stint/core/time/instant.ts'

import { openTraces, STORES } from './traces-database.ts'
import type { Origin, Source } from './traces-database.ts'

/** What the page shows of the traces. */
export interface Summary {
  readonly sources: readonly Source[]
  readonly rules: readonly TraceRule[]
}

/** What became of a file. */
export interface Added extends Pick<TraceReading, 'problems'> {
  readonly kind: TraceKind
  readonly count: number
}

/** The days to look at, and what is known of them. */
export interface SuggestInput extends Pick<GhostInput, 'busy' | 'tasks'> {
  readonly days: readonly Interval[]
}

export type KeptTraces = Awaited<ReturnType<typeof keepTraces>>

/** Opens what is kept of a user's traces. */
export async function keepTraces(userId: string) {
  const database = await openTraces(userId)
  /** The traces of all sources, by the right clock; read at the first suggestion after a change. */
  let all: Promise<readonly Trace[]> | null = null

  async function readAll(): Promise<readonly Trace[]> {
    const sources = await database.getAll('sources')
    const read = sources.filter(({ kind }) => kind !== 'presence')
    const traces = await Promise.all(
      read.map(async ({ id, offsetMinutes }) =>
        ((await database.get('traces', id)) ?? []).map((trace) => moved(trace, offsetMinutes)),
      ),
    )
    return traces.flat()
  }

  /** Returns the traces of a source that end within a time. */
  async function olderTraces(id: string, { start, end }: Interval): Promise<readonly Trace[]> {
    const traces = (await database.get('traces', id)) ?? []
    return traces.filter(({ to }) => to > start && to <= end)
  }

  async function readOnce(): Promise<readonly Trace[]> {
    all ??= readAll()
    // What is noted here grows all the time, in any tab.
    return [...(await all), ...((await database.get('traces', PRESENCE_SOURCE)) ?? [])]
  }

  /** Returns the rules, the first one that decides first. Those of earlier versions have no order. */
  async function readRules(): Promise<readonly TraceRule[]> {
    const rules = await database.getAll('rules')
    return rules
      .map((rule) => ({ ...rule, order: rule.order ?? 0 }))
      .toSorted((one, other) => one.order - other.order)
  }

  return {
    /** Forgets what was read: another tab has changed it. */
    async reload(): Promise<void> {
      all = null
    },

    async summary(): Promise<Summary> {
      const sources = await database.getAll('sources')
      return {
        sources: sources.toSorted((one, other) => other.readAt - one.readAt),
        rules: await readRules(),
      }
    },

    /**
     * Reads a file and keeps what it has. A file of the same name and kind takes the place of the one before, but for
     * what is older than all that was asked for. One with an origin can be read there again.
     * Throws an error with a sentence if nothing knows the text, or if nothing in it is of the last year.
     */
    async addFile(text: string, options: TraceOptions, origin?: Origin): Promise<Added> {
      // The library for calendars is loaded for them alone.
      const reading = isCalendar(text)
        ? readTraces(
            text,
            options,
            (await import('@stint/core/traces/calendar.ts')).readCalendarTraces,
          )
        : readTraces(text, options)
      if (!reading)
        throw new Error(t('{name} is none of the known kinds of files.', { name: options.name }))
      const { kind, name, problems, traces } = reading
      if (traces.length === 0)
        throw new Error(
          problems[0]?.why ?? t('{name} has nothing of the last year.', { name: options.name }),
        )
      const id = `${kind} ${name}`
      const before = await database.get('sources', id)
      const older =
        origin && 'since' in origin
          ? await olderTraces(id, { ...keptRange(options.now), end: origin.since })
          : []
      const kept = [...older, ...traces]
      const source: Source = {
        id,
        name,
        kind,
        count: kept.length,
        bytes: JSON.stringify(kept).length,
        readAt: options.now,
        offsetMinutes: before?.offsetMinutes ?? 0,
        ...(origin && { origin }),
      }
      const writing = database.transaction(['sources', 'traces'], 'readwrite')
      void writing.objectStore('sources').put(source, id)
      void writing.objectStore('traces').put(kept, id)
      await writing.done
      all = null
      return { kind, count: traces.length, problems }
    },

    /** Begins to keep when this device is in use. */
    async beginPresence(now: number): Promise<void> {
      const source: Source = {
        id: PRESENCE_SOURCE,
        name: '',
        kind: 'presence',
        count: 0,
        bytes: 0,
        readAt: now,
        offsetMinutes: 0,
      }
      await database.put('sources', source, PRESENCE_SOURCE)
    },

    /** Keeps a stretch in which this device is in use, of the time since that is wanted. */
    async notePresence({ start, end }: Interval): Promise<void> {
      const writing = database.transaction(['sources', 'traces'], 'readwrite')
      const [sources, lists] = [writing.objectStore('sources'), writing.objectStore('traces')]
      const source = await sources.get(PRESENCE_SOURCE)
      if (source) {
        const known = (await lists.get(PRESENCE_SOURCE)) ?? []
        const traces = withPresence(known, { start: Math.max(start, source.readAt), end })
        const sizes = { count: traces.length, bytes: JSON.stringify(traces).length }
        void sources.put({ ...source, ...sizes }, PRESENCE_SOURCE)
        void lists.put(traces, PRESENCE_SOURCE)
      }
      await writing.done
    },

    async removeSource(id: string): Promise<void> {
      const writing = database.transaction(['sources', 'traces'], 'readwrite')
      void writing.objectStore('sources').delete(id)
      void writing.objectStore('traces').delete(id)
      await writing.done
      all = null
    },

    /** Deletes all that was read, with the rules and everything else. */
    async removeAll(): Promise<void> {
      const writing = database.transaction([...STORES], 'readwrite')
      for (const name of STORES) void writing.objectStore(name).clear()
      await writing.done
      all = null
    },

    async setOffset(id: string, offsetMinutes: number): Promise<void> {
      const source = await database.get('sources', id)
      if (source) await database.put('sources', { ...source, offsetMinutes }, id)
      all = null
    },

    /**
     * Adds a rule before the others, as what was decided last counts, or changes the one with its id. One that was removed
     * comes back to its place. Throws an error with a sentence if there are too many.
     */
    async putRule(rule: TraceRule): Promise<void> {
      const rules = await readRules()
      const known = rules.find(({ id }) => id === rule.id)
      if (!known && rules.length >= MAX_TRACE_RULES)
        throw new Error(t('There are {count} rules already.', { count: MAX_TRACE_RULES }))
      const order = rule.order ?? known?.order ?? (rules[0]?.order ?? 0) - 1
      await database.put('rules', { ...rule, order }, rule.id)
    },

    /** Changes places with the rule before, so that this one decides first. The first one stays. */
    async raiseRule(id: string): Promise<void> {
      const rules = [...(await readRules())]
      const index = rules.findIndex((rule) => rule.id === id)
      if (index < 1) return
      rules.splice(index - 1, 0, ...rules.splice(index, 1))
      const writing = database.transaction('rules', 'readwrite')
      for (const [order, rule] of rules.entries())
        void writing.store.put({ ...rule, order }, rule.id)
      await writing.done
    },

    async removeRule(id: string): Promise<void> {
      await database.delete('rules', id)
    },

    async dismiss({ id, start, end, traces }: Dismissal): Promise<void> {
      await database.put('dismissed', { id, start, end, traces }, id)
    },

    async restore(id: string): Promise<void> {
      await database.delete('dismissed', id)
    },

    /** Returns what is known of a stretch of time, whatever is tracked in it. */
    async evidence(span: Interval): Promise<readonly Proof[]> {
      const [traces, rules] = [await readOnce(), await readRules()]
      const nothing = { busy: [], tasks: [], dismissed: [] }
      // A commit at the very end ended it.
      const day = { start: span.start, end: span.end + 1 }
      return ghostsOf({ ...nothing, traces, rules, day }).flatMap(({ proofs }) => proofs)
    },

    /** Returns the events of calendars that touch a stretch of time and take time of their owner, by their start. */
    async events(span: Interval): Promise<readonly Trace[]> {
      return plannedEvents(await readOnce(), span)
    },

    /** Returns the suggestions of each day. */
    async suggest({ days, ...known }: SuggestInput): Promise<readonly (readonly Ghost[])[]> {
      const [traces, rules, dismissed] = [
        await readOnce(),
        await readRules(),
        await database.getAll('dismissed'),
      ]
      return days.map((day) => ghostsOf({ ...known, traces, rules, dismissed, day }))
    },
  }
}
