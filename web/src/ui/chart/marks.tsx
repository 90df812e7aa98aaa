import type { CSSProperties } from 'react'
import { classNames } from '#ui/class-names.ts'
import { HATCHED } from '#ui/hatched.ts'
import { percent, percentScale } from './time-scale.ts'
import type { Span } from './time-scale.ts'

/** The direction of an axis of time: from top to bottom, or along the line. */
export type Axis = 'down' | 'across'

/** A stretch behind the marks of an axis. */
export const BACKDROP = 'rounded-[3px] border border-edge/60 bg-wash'

/** Returns the place of a span on an axis. */
export function placed(axis: Axis, start: string, length: string): CSSProperties {
  return axis === 'down'
    ? { top: start, height: length }
    : { insetInlineStart: start, width: length }
}

/** Returns the share of the other direction that overlapping sessions have each. */
export function inLane(
  axis: Axis,
  { lane, lanes }: { lane: number; lanes: number },
): CSSProperties {
  const [start, length] = [percent((100 * lane) / lanes), percent(100 / lanes)]
  return placed(axis === 'down' ? 'across' : 'down', start, length)
}

/** A stretch of work in the current colour, or of a pause, hatched. Decorative: a label says the same. */
export function Mark({
  kind,
  axis,
  start,
  length,
}: {
  kind: 'work' | 'pause'
  axis: Axis
  /** In percent of the element around it. */
  start: number
  length: number
}) {
  return (
    <span
      aria-hidden="true"
      data-mark={kind}
      style={placed(axis, percent(start), percent(length))}
      className={classNames(
        'absolute',
        axis === 'down' ? 'inset-x-0 min-h-0.5' : 'inset-y-0 min-w-0.5',
        kind === 'work' ? 'rounded-[3px] bg-current' : HATCHED,
      )}
    />
  )
}

/** The marks of a session, which fill the element around them: its work, and the pauses in it. */
export function SessionMarks({
  axis,
  interval: { start, end },
  pauses,
}: {
  axis: Axis
  interval: Span
  /** Within the interval, in their order. */
  pauses: readonly Span[]
}) {
  const { at } = percentScale({ start, end })
  const mark = (kind: 'work' | 'pause', from: number, to: number) => (
    <Mark
      key={`${kind} ${from}`}
      kind={kind}
      axis={axis}
      start={at(from)}
      length={at(to) - at(from)}
    />
  )
  return (
    <>
      {pauses.map((pause) => mark('pause', pause.start, pause.end))}
      {[start, ...pauses.map((pause) => pause.end)].map((from, index) =>
        mark('work', from, pauses[index]?.start ?? end),
      )}
    </>
  )
}

/** The line of the current time. */
export function NowLine({ axis, at }: { axis: Axis; at: string }) {
  return (
    <span
      aria-hidden="true"
      data-now=""
      style={axis === 'down' ? { top: at } : { insetInlineStart: at }}
      className={classNames(
        'pointer-events-none absolute z-10 bg-ink before:absolute before:size-[5px] before:rounded-full before:bg-ink',
        axis === 'down'
          ? 'inset-x-0 h-[1.5px] -translate-y-1/2 before:top-1/2 before:-start-[3px] before:-translate-y-1/2'
          : 'inset-y-0 w-[1.5px] -translate-x-1/2 before:-top-[3px] before:start-1/2 before:-translate-x-1/2 rtl:translate-x-1/2 rtl:before:translate-x-1/2',
      )}
    />
  )
}

/** The text of a tooltip: what it is about, its figures, and what is said quietly. */
export function TipText({
  name,
  figures,
  quiet = [],
}: {
  name: string
  figures: string
  /** Lines, of which some may be missing. */
  quiet?: readonly (string | false | null | undefined)[]
}) {
  return (
    <>
      <span dir="auto" className="block font-semibold break-words">
        {name}
      </span>
      <span className="figures block">{figures}</span>
      {quiet.filter(Boolean).map((line, index) => (
        <span key={index} className="figures block text-quiet">
          {line}
        </span>
      ))}
    </>
  )
}
