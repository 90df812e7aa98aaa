import { useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { placeAfter } from './place-after.ts'
import { percent } from './time-scale.ts'

export interface LineChartProps {
  /** The values from the first to the last; 0 is drawn as a line. */
  values: readonly number[]
  /** The picture in one sentence. */
  summary: string
  /** Writes a value beside the axis. */
  write: (value: number) => string
  /** What the value at a place is, for the line above the picture. */
  say: (place: number) => string
  /** The texts at both ends of the axis of time. */
  ends: readonly [string, string]
}

/**
 * A line over time, with the area between it and zero. It is one image to assistive technology. The pointer
 * and arrow keys say the value of a place.
 */
export function LineChart({ values, summary, write, say, ends }: LineChartProps) {
  const [active, setActive] = useState<number | null>(null)
  const last = values.length - 1
  const place = Math.min(active ?? last, last)
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const height = top - bottom || 1
  const y = (value: number) => (100 * (top - value)) / height
  const x = (index: number) => (last === 0 ? 100 : (100 * index) / last)
  const points = values.map((value, index) => `${x(index).toFixed(2)},${y(value).toFixed(2)}`)
  const zeroAt = y(0)
  const zero = zeroAt.toFixed(2)

  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, place, last)
    if (next === null) return
    event.preventDefault()
    setActive(next)
  }
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setActive(Math.min(Math.max(Math.round(((clientX - left) / width) * last), 0), last))
  }

  return (
    <figure className="flex flex-col gap-2">
      <figcaption
        className="figures text-sm text-quiet"
        aria-live={active === null ? 'off' : 'polite'}
      >
        {say(place)}
      </figcaption>
      <div className="flex gap-2">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the table of the chart has the same content */}
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is drawn here, so there is no image file
          role="img"
          aria-label={summary}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move along the line
          tabIndex={0}
          className="relative h-40 min-w-0 flex-1 touch-pan-y rounded-control"
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setActive(null)}
          onBlur={() => setActive(null)}
        >
          <svg
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            aria-hidden="true"
            className="absolute inset-0 size-full overflow-visible rtl:-scale-x-100"
          >
            <polygon
              points={`0,${zero} ${points.join(' ')} 100,${zero}`}
              className="fill-accent-soft"
            />
            <line
              x1="0"
              x2="100"
              y1={zero}
              y2={zero}
              vectorEffect="non-scaling-stroke"
              className="stroke-edge"
            />
            <polyline
              points={points.join(' ')}
              fill="none"
              strokeWidth="2"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
              className="stroke-accent"
            />
          </svg>
          <span
            aria-hidden="true"
            style={{ insetInlineStart: percent(x(place)), top: percent(y(values[place] ?? 0)) }}
            className="pointer-events-none absolute size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-surface bg-accent rtl:translate-x-1/2"
          />
        </div>
        <div
          aria-hidden="true"
          className="figures relative w-18 text-xs whitespace-nowrap text-quiet"
        >
          {zeroAt > 14 && <span className="absolute top-0 -translate-y-1/4">{write(top)}</span>}
          <span className="absolute -translate-y-1/2" style={{ top: percent(zeroAt) }}>
            {write(0)}
          </span>
          {zeroAt < 86 && (
            <span className="absolute bottom-0 translate-y-1/4">{write(bottom)}</span>
          )}
        </div>
      </div>
      <div aria-hidden="true" className="figures me-20 flex justify-between text-xs text-quiet">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </figure>
  )
}
