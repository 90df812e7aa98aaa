/**
 * Ghosts: suggestions of sessions in the free time of a day, each with its proofs. The same traces
 * give the same ghosts, in whatever order they are read.
 */
import { folded } from '#folded.ts'
import type { Interval } from '#time/instant.ts'
import { clipIntervals, intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import { ruleFinder } from './rules.ts'
import type { TraceRule } from './rules.ts'
import { runsOf } from './runs.ts'
import { inOrder, MAX_BREAK_MILLISECONDS, traceId } from './trace.ts'
import type { Trace, TraceKind } from './trace.ts'

export interface GhostInput {
  readonly traces: readonly Trace[]
  /** What is tracked, in any order. */
  readonly busy: readonly Interval[]
  readonly rules: readonly TraceRule[]
  /** The tasks that may be suggested. */
  readonly tasks: readonly { readonly id: string; readonly name: string }[]
  readonly dismissed: readonly Dismissal[]
  /** The day; of today, its end is now. */
  readonly day: Interval
}

/** A suggestion that its owner does not want: these traces say nothing within this time. */
export interface Dismissal extends Interval {
  /** That of the ghost. */
  readonly id: string
  readonly traces: readonly string[]
}

/** How sure a ghost is: time and task are known; the time is; the time is assumed. */
export const CERTAINTIES = ['certain', 'likely', 'guess'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** One of the things that a ghost follows from: '38 min Figma, Homepage', '4 commits in acme-site'. */
export interface Proof {
  readonly kind: TraceKind
  readonly where: string
  /** Of several commits, the subject of the last one. */
  readonly title: string
  /** The first and the last moment, in epoch milliseconds. */
  readonly from: number
  readonly to: number
  /** How many traces there are. */
  readonly count: number
  /** How much of the time of the ghost they cover. 0 of commits. */
  readonly milliseconds: number
}

export interface Ghost extends Interval {
  readonly id: string
  /** The id of a task; null if nothing says which. */
  readonly task: string | null
  readonly note: string
  readonly certainty: Certainty
  readonly why: {
    /** The time is that of an event, was measured, is assumed to lie before a commit, or that of a device in use. */
    readonly time: 'event' | 'measured' | 'before-commit' | 'presence'
    /** The task is that of a rule, or its name is in the text. */
    readonly task: 'rule' | 'name' | 'none'
  }
  /** What has most of the time is first. */
  readonly proofs: readonly Proof[]
  /** The ids of its traces. */
  readonly traces: readonly string[]
}

export const MAX_GHOSTS = 12
/** The shortest ghost. */
export const MIN_GHOST_MILLISECONDS = 5 * 60_000
/** How much work is assumed before a commit at most. */
export const MAX_BEFORE_COMMIT_MILLISECONDS = 2 * 3_600_000

const MINUTE_MILLISECONDS = 60_000
/** The time of a computer is looked at in slots; what has most of a slot has the slot. */
const SLOT_MILLISECONDS = 5 * MINUTE_MILLISECONDS
/** A slot with less than this is empty. */
const MIN_IN_SLOT_MILLISECONDS = MINUTE_MILLISECONDS
const MAX_PROOFS = 5

/** What traces of one kind, place and title stand for: one object for all of them. */
interface Names {
  readonly task: string | null
  readonly by: 'rule' | 'name' | 'none'
  readonly isNoted: boolean
}

/** A trace within the day. */
interface Named {
  readonly trace: Trace
  readonly names: Names
}

/** A part of a trace that lies in free time. */
interface Piece extends Interval {
  readonly named: Named
}

type Draft = Interval & { readonly time: Ghost['why']['time']; readonly pieces: Piece[] }

/**
 * Returns the suggestions of a day, at most `MAX_GHOSTS`, sorted by time. They last whole minutes
 * and at least `MIN_GHOST_MILLISECONDS`; they overlap neither tracked time nor each other.
 *
 * - An event of a calendar takes the free rest of its time. Of two events at the same time, the one
 *   that a rule names comes first, then the shorter one.
 * - What computers have measured takes what events leave free, in slots of five minutes: the task
 *   with most of a slot has it. Breaks of less than ten minutes do not part a stretch.
 * - A commit is a proof of the event or the stretch that it lies in. Elsewhere the time before it is
 *   assumed to be its work: back to the trace before, at most two hours, and not before the device came into use.
 * - A device in use is a proof of all that lies in it. It is a ghost on a day of which nothing else is known.
 * - The most certain ghosts stay, then the longest.
 */
export function ghostsOf(input: GhostInput): readonly Ghost[] {
  const { busy, dismissed, day } = input
  const free = intervalsBetween(mergeIntervals(busy), day)
  const all = namedTraces(input)
  const presence = all.filter(({ trace }) => trace.kind === 'presence')
  const named = all.filter(({ trace }) => trace.kind !== 'presence')
  const hidden = hiddenTimes(dismissed)
  const events = eventDrafts(
    named.filter(({ trace }) => trace.kind === 'calendar'),
    free,
    hidden,
  )
  const leftByEvents = without(free, events)
  const measured = measuredDrafts(
    piecesIn(
      named.filter(({ trace }) => trace.kind !== 'calendar' && trace.to > trace.from),
      leftByEvents,
      hidden,
    ),
    leftByEvents,
  )
  const commits = named.filter(({ trace }) => trace.kind === 'git' && !hidden.has(trace.id))
  const alone = commits.filter((commit) => !isProofOf([...events, ...measured], commit))
  const uses = runsOf(presence.map(({ trace }) => trace)).map((run) => ({
    start: run[0].from,
    end: Math.max(...run.map(({ to }) => to)),
  }))
  const guessed = guessedDrafts(alone, without(leftByEvents, measured), named, uses)
  const isUnknown = named.length === 0 && totalMilliseconds(free) === day.end - day.start
  const used = isUnknown ? measuredDrafts(piecesIn(presence, free, hidden), free) : []
  return mostCertain([
    ...[...events, ...measured, ...guessed].map((draft) => ghostOf(draft, uses)),
    ...used.map((draft) => ghostOf({ ...draft, time: 'presence' })),
  ])
}

/** Returns the traces of the day in order, each once, without those that say nothing. */
function namedTraces({ traces, rules, tasks, day }: GhostInput): readonly Named[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const ruleOf = ruleFinder(rules, (id) => ids.has(id))
  const taskIn = nameFinder(tasks)
  const namesOf = (trace: Trace): Names | 'ignored' => {
    const rule = ruleOf(trace)
    if (rule) {
      if (rule.task === null) return 'ignored'
      return { task: rule.task, by: 'rule', isNoted: rule.isNoted }
    }
    const task = taskIn(`${trace.title} ${trace.where}`)
    const isNoted = trace.kind === 'calendar' || trace.kind === 'git'
    return { task, by: task === null ? 'none' : 'name', isNoted }
  }
  const ofDay = traces.filter(
    ({ from, to, aside }) =>
      from < day.end && (to > day.start || from >= day.start) && aside === undefined,
  )
  // Windows come to the front again and again. Maps in maps spare building a key for each trace.
  const known = new Map<string, Map<string, Map<string, Names | 'ignored'>>>()
  const named: Named[] = []
  let last = ''
  for (const trace of ofDay.sort(inOrder)) {
    if (trace.id === last) continue
    last = trace.id
    const ofKind = madeIn(
      known,
      trace.kind,
      () => new Map<string, Map<string, Names | 'ignored'>>(),
    )
    const ofPlace = madeIn(ofKind, trace.where, () => new Map<string, Names | 'ignored'>())
    const names = madeIn(ofPlace, trace.title, () => namesOf(trace))
    if (names !== 'ignored') named.push({ trace, names })
  }
  return named
}

/** Returns the value of the key, which is made if there is none. */
function madeIn<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Returns a function that finds the task whose name is in a text as whole words; the longest name counts. */
function nameFinder(tasks: GhostInput['tasks']): (text: string) => string | null {
  const names = tasks
    .map(({ id, name }) => ({ id, words: ` ${wordsOf(name)} ` }))
    .filter(({ words }) => words.length > 4)
    .sort((a, b) => b.words.length - a.words.length || (a.id < b.id ? -1 : 1))
  return (text) => {
    if (names.length === 0) return null
    const words = ` ${wordsOf(text)} `
    return names.find((name) => words.includes(name.words))?.id ?? null
  }
}

function wordsOf(text: string): string {
  return folded(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

type Hidden = ReadonlyMap<string, readonly Interval[]>

function hiddenTimes(dismissed: readonly Dismissal[]): Hidden {
  const hidden = new Map<string, Interval[]>()
  for (const { traces, start, end } of dismissed)
    for (const id of traces) hidden.set(id, [...(hidden.get(id) ?? []), { start, end }])
  return hidden
}

/** Returns the parts of a trace that nobody has dismissed. */
function shownParts({ id, from, to }: Trace, hidden: Hidden): readonly Interval[] {
  const whole = { start: from, end: to }
  const times = hidden.get(id)
  return times ? intervalsBetween(mergeIntervals(times), whole) : [whole]
}

/** Returns the intervals without the drafts, which may be in any order. */
function without(intervals: readonly Interval[], drafts: readonly Interval[]): Interval[] {
  const taken = drafts.toSorted((a, b) => a.start - b.start)
  return intervals.flatMap((interval) => intervalsBetween(taken, interval))
}

/** Returns the whole minutes of an interval; null if they are too few for a ghost. */
function wholeMinutes({ start, end }: Interval): Interval | null {
  const first = Math.ceil(start / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS
  const last = Math.floor(end / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS
  return last - first >= MIN_GHOST_MILLISECONDS ? { start: first, end: last } : null
}

/** Returns drafts for the events, each with the free rest of its time. */
function eventDrafts(events: readonly Named[], free: readonly Interval[], hidden: Hidden): Draft[] {
  const isFirst = (one: Named, other: Named): number =>
    Number(other.names.by === 'rule') - Number(one.names.by === 'rule') ||
    one.trace.to - one.trace.from - (other.trace.to - other.trace.from) ||
    inOrder(one.trace, other.trace)
  const drafts: Draft[] = []
  // Each draft has five minutes of its own, so that a day has few of them, whatever its calendar is.
  let left: readonly Interval[] = free
  for (const named of events.toSorted(isFirst)) {
    const parts = shownParts(named.trace, hidden)
      .flatMap(({ start, end }) => clipIntervals(left, start, end))
      .flatMap((part) => wholeMinutes(part) ?? [])
    if (parts.length === 0) continue
    for (const part of parts) {
      drafts.push({ ...part, time: 'event', pieces: [{ ...part, named }] })
    }
    left = without(left, parts)
  }
  return drafts
}

/** Returns the parts of traces that lie in free time. Traces and free times are sorted. */
function piecesIn(traces: readonly Named[], free: readonly Interval[], hidden: Hidden): Piece[] {
  const pieces: Piece[] = []
  let first = 0
  for (const named of traces) {
    for (const { start, end } of shownParts(named.trace, hidden)) {
      while ((free[first]?.end ?? Infinity) <= named.trace.from) first += 1
      for (let at = first; (free[at]?.start ?? Infinity) < end; at += 1) {
        const part = free[at]
        if (!part || part.end <= start) continue
        pieces.push({
          named,
          start: Math.max(start, part.start),
          end: Math.min(end, part.end),
        })
      }
    }
  }
  return pieces
}

/** Five minutes of a day. */
interface Slot extends Interval {
  readonly index: number
  /** Milliseconds by task; '' without one. */
  readonly by: Map<string, number>
  readonly pieces: Piece[]
}

/** Returns drafts for what was measured: slots in a row that have the same task. */
function measuredDrafts(pieces: readonly Piece[], free: readonly Interval[]): Draft[] {
  return free.flatMap((part) => {
    const inPart = pieces.filter(({ start }) => start >= part.start && start < part.end)
    const slots = slotsOf(inPart)
    const tasks = slots.map(taskOfSlot)
    // One slot between two of another task belongs to them.
    const smooth = tasks.map((task, at) => {
      const [before, after] = [tasks[at - 1], tasks[at + 1]]
      const isAmongThem = isNext(slots[at - 1], slots[at]) && isNext(slots[at], slots[at + 1])
      return before !== undefined && before === after && isAmongThem ? before : task
    })
    const drafts: Draft[] = []
    let begun: { task: string; slots: Slot[] } | null = null
    const finish = (): void => {
      if (begun) drafts.push(...draftOf(begun.task, begun.slots))
      begun = null
    }
    for (const [at, slot] of slots.entries()) {
      const task = smooth[at] ?? ''
      if (begun === null || begun.task !== task || !isNext(begun.slots.at(-1), slot)) {
        finish()
        begun = { task, slots: [slot] }
      } else begun.slots.push(slot)
    }
    finish()
    return drafts
  })
}

/** Returns the slots in which enough was measured, in order. */
function slotsOf(pieces: readonly Piece[]): Slot[] {
  const slots = new Map<number, { -readonly [K in keyof Slot]: Slot[K] }>()
  for (const piece of pieces) {
    const last = Math.floor((piece.end - 1) / SLOT_MILLISECONDS)
    for (let index = Math.floor(piece.start / SLOT_MILLISECONDS); index <= last; index += 1) {
      const start = Math.max(piece.start, index * SLOT_MILLISECONDS)
      const end = Math.min(piece.end, (index + 1) * SLOT_MILLISECONDS)
      const task = piece.named.names.task ?? ''
      const slot = slots.get(index) ?? {
        index,
        start,
        end,
        by: new Map<string, number>(),
        pieces: [],
      }
      slot.start = Math.min(slot.start, start)
      slot.end = Math.max(slot.end, end)
      slot.by.set(task, (slot.by.get(task) ?? 0) + end - start)
      slot.pieces.push({ named: piece.named, start, end })
      slots.set(index, slot)
    }
  }
  return [...slots.values()]
    .filter(({ by }) => [...by.values()].reduce((a, b) => a + b, 0) >= MIN_IN_SLOT_MILLISECONDS)
    .sort((a, b) => a.index - b.index)
}

function taskOfSlot({ by }: Slot): string {
  const [most] = [...by].sort(([a, one], [b, other]) => other - one || (a < b ? 1 : -1))
  return most?.[0] ?? ''
}

function isNext(one: Slot | undefined, other: Slot | undefined): boolean {
  return one !== undefined && other !== undefined && other.start - one.end < MAX_BREAK_MILLISECONDS
}

function draftOf(task: string, slots: readonly Slot[]): Draft[] {
  const [first, last] = [slots[0], slots.at(-1)]
  const span = first && last ? wholeMinutes({ start: first.start, end: last.end }) : null
  if (!span) return []
  const pieces = slots.flatMap((slot) =>
    slot.pieces.filter(({ named }) => (named.names.task ?? '') === task),
  )
  return [{ ...span, time: 'measured', pieces }]
}

/**
 * Returns whether the commit lies in a draft or shortly after a measured one. It becomes its proof,
 * unless it is of another task.
 */
function isProofOf(drafts: readonly Draft[], commit: Named): boolean {
  const at = commit.trace.from
  const around =
    drafts.find(({ start, end }) => start <= at && at <= end) ??
    drafts.find(
      ({ time, end }) => time === 'measured' && end < at && at - end < MAX_BREAK_MILLISECONDS,
    )
  if (!around) return false
  const { task } = around.pieces[0]?.named.names ?? commit.names
  if (task === null || commit.names.task === null || task === commit.names.task)
    around.pieces.push({ named: commit, start: at, end: at })
  return true
}

/** Returns drafts for commits that nothing else explains: the time before them. */
function guessedDrafts(
  commits: readonly Named[],
  free: readonly Interval[],
  all: readonly Named[],
  uses: readonly Interval[],
): Draft[] {
  const ends = all.map(({ trace }) => trace.to).sort((a, b) => a - b)
  const drafts: Draft[] = []
  for (const named of commits) {
    const at = named.trace.from
    const last = drafts.at(-1)
    const isSameTask = last?.pieces[0]?.named.names.task === named.names.task
    if (last && isSameTask && last.end === at) {
      last.pieces.push({ named, start: at, end: at })
      continue
    }
    const part = free.find(({ start, end }) => start < at && at <= end)
    if (!part) continue
    const start = Math.max(
      part.start,
      at - MAX_BEFORE_COMMIT_MILLISECONDS,
      lastBefore(ends, at),
      last?.end ?? -Infinity,
      uses.find((use) => use.start < at && at <= use.end)?.start ?? -Infinity,
    )
    const piece = { named, start: at, end: at }
    if (last && isSameTask && last.end === start) {
      drafts[drafts.length - 1] = { ...last, end: at, pieces: [...last.pieces, piece] }
    } else if (at > start) drafts.push({ start, end: at, time: 'before-commit', pieces: [piece] })
  }
  return drafts.flatMap((draft) => {
    const span = wholeMinutes(draft)
    return span ? [{ ...draft, ...span }] : []
  })
}

/** Returns the last number before another one, of sorted ones; -Infinity without one. */
function lastBefore(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return sorted[low - 1] ?? -Infinity
}

function ghostOf({ start, end, time, pieces }: Draft, uses: readonly Interval[] = []): Ghost {
  const proofs = proofsOf(pieces)
  const { task, by } = taskOfPieces(pieces)
  const first = proofs[0]?.proof
  return {
    id: traceId([time, start, end, task ?? '', first?.where ?? '', first?.title ?? '']),
    start,
    end,
    task,
    note: proofs.find(({ isNoted }) => isNoted)?.proof.title ?? '',
    certainty:
      time === 'before-commit' || time === 'presence'
        ? 'guess'
        : by === 'rule'
          ? 'certain'
          : 'likely',
    why: { time, task: by },
    proofs: [
      ...proofs.slice(0, MAX_PROOFS).map(({ proof }) => proof),
      ...deviceProof({ start, end }, uses),
    ],
    traces: [...new Set(pieces.map(({ named }) => named.trace))].map(({ id }) => id),
  }
}

/** Returns the use of the device that has most of a time, as a proof of it; none without one. */
function deviceProof({ start, end }: Interval, uses: readonly Interval[]): Proof[] {
  const [most] = uses
    .flatMap((use) => clipIntervals([use], start, end).map((part) => ({ use, part })))
    .sort(({ part: one }, { part: other }) => other.end - other.start - (one.end - one.start))
  if (!most) return []
  const { use, part } = most
  const milliseconds = part.end - part.start
  const said = { kind: 'presence', where: '', title: '', count: 1 } as const
  return [{ ...said, from: use.start, to: use.end, milliseconds }]
}

/** Returns the task of the time, else the one on which its commits agree. */
function taskOfPieces([first, ...rest]: readonly Piece[]): Pick<Names, 'task' | 'by'> {
  const own = first?.named.names ?? { task: null, by: 'none' }
  if (own.task !== null) return own
  const others = rest.map(({ named }) => named.names).filter(({ task }) => task !== null)
  const isOne = new Set(others.map(({ task }) => task)).size === 1
  return (isOne ? others[0] : own) ?? own
}

interface DraftProof {
  readonly proof: { -readonly [K in keyof Proof]: Proof[K] }
  readonly isNoted: boolean
}

/** Returns the proofs, each of one title, or of the commits of one repository. */
function proofsOf(pieces: readonly Piece[]): readonly DraftProof[] {
  const proofs = new Map<Names | string, DraftProof>()
  const counted = new Set<Trace>()
  for (const { named, start, end } of pieces) {
    const { trace, names } = named
    const { kind, where, title, from, to } = trace
    const key = kind === 'git' ? where : names
    const proof = proofs.get(key)?.proof
    if (!proof) {
      const first = { kind, where, title, from, to, count: 1, milliseconds: end - start }
      proofs.set(key, { proof: first, isNoted: names.isNoted })
    } else {
      if (!counted.has(trace)) proof.count += 1
      if (from >= proof.from) proof.title = title
      proof.from = Math.min(proof.from, from)
      proof.to = Math.max(proof.to, to)
      proof.milliseconds += end - start
    }
    counted.add(trace)
  }
  return [...proofs.values()].sort(
    ({ proof: a }, { proof: b }) =>
      b.milliseconds - a.milliseconds ||
      b.count - a.count ||
      a.from - b.from ||
      (`${a.where} ${a.title}` < `${b.where} ${b.title}` ? -1 : 1),
  )
}

/** Returns the most certain ghosts, then the longest, then the earliest, sorted by time. */
function mostCertain(ghosts: readonly Ghost[]): readonly Ghost[] {
  const rank = ({ certainty }: Ghost) => CERTAINTIES.indexOf(certainty)
  return ghosts
    .toSorted(
      (a, b) => rank(a) - rank(b) || b.end - b.start - (a.end - a.start) || a.start - b.start,
    )
    .slice(0, MAX_GHOSTS)
    .sort((a, b) => a.start - b.start)
}
