import { addMonths, daysBetween, hourLabel, shortMonthName } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import type { HourCycle } from '@stint/core/time/calendar.ts'
import { t } from '@stint/core/text.ts'
import type { Ref } from 'react'

import { pathOf, ROW_UNITS } from './use-day-rows.ts'
import type { DrawnTask } from './use-day-rows.ts'
import './poster.css'

/** In units of the sheet, which has the sides of A2: 420 to 594. */
const SHEET = { width: 1000, height: 1414 }
const AREA = { left: 84, top: 200, width: 856, row: 2.85 }
const LEGEND = { top: 1292, columns: 3, line: 24, max: 12 }
/** Longer names are cut: a line of the legend has room for no more. */
const MAX_NAME = 26

/** A year as a poster of A2, in light colours: what is printed and what is downloaded as SVG. */
export function Poster({
  ref,
  from,
  title,
  subtitle,
  tasks,
  startHour,
  hourCycle,
  write,
}: {
  ref: Ref<SVGSVGElement>
  /** The 1st of January. */
  from: CalendarDate
  title: string
  subtitle: string
  tasks: readonly DrawnTask[]
  /** The hour at which days begin. */
  startHour: number
  hourCycle: HourCycle
  /** Writes a duration in seconds. */
  write: (seconds: number) => string
}) {
  const months = Array.from({ length: 12 }, (_, month) => addMonths(from, month))
  const days = daysBetween(from, addMonths(from, 12))
  const height = days * AREA.row
  const right = AREA.left + AREA.width
  const named = tasks.slice(0, tasks.length > LEGEND.max ? LEGEND.max - 1 : LEGEND.max)
  const others = tasks.slice(named.length)
  return (
    <div className="poster hidden">
      <svg
        ref={ref}
        xmlns="http://www.w3.org/2000/svg"
        aria-hidden="true"
        viewBox={`0 0 ${SHEET.width} ${SHEET.height}`}
        fontFamily="'Figtree Variable', Figtree, Inter, 'Helvetica Neue', Arial, sans-serif"
        fontSize="13"
        fill="#55565e"
      >
        <rect width={SHEET.width} height={SHEET.height} fill="#ffffff" />
        <text x={AREA.left} y="112" fontSize="84" fontWeight="300" fill="#18181b">
          {title}
        </text>
        <text x={AREA.left} y="148" fontSize="18">
          {subtitle}
        </text>
        {[0, 6, 12, 18, 24].map((hour) => (
          <g key={hour}>
            <line
              x1={AREA.left + (AREA.width * hour) / 24}
              x2={AREA.left + (AREA.width * hour) / 24}
              y1={AREA.top - 6}
              y2={AREA.top + height}
              stroke="#e4e4e0"
              strokeWidth="0.7"
            />
            <text
              x={AREA.left + (AREA.width * hour) / 24}
              y={AREA.top - 12}
              textAnchor={hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle'}
            >
              {hourLabel((hour + startHour) % 24, hourCycle)}
            </text>
          </g>
        ))}
        {months.map((month) => {
          const y = AREA.top + daysBetween(from, month) * AREA.row
          return (
            <g key={month}>
              <line x1={AREA.left} x2={right} y1={y} y2={y} stroke="#e4e4e0" strokeWidth="0.7" />
              <text x={AREA.left - 12} y={y + 12} textAnchor="end">
                {shortMonthName(month)}
              </text>
            </g>
          )
        })}
        <g
          transform={`translate(${AREA.left} ${AREA.top}) scale(${AREA.width / ROW_UNITS} ${AREA.row})`}
        >
          {tasks.map(({ taskId, color, marks }) => (
            <path key={taskId} d={pathOf(marks)} style={{ fill: color }} />
          ))}
        </g>
        {[...named.map((task) => ({ ...task, key: task.taskId })), ...restOf(others)].map(
          ({ key, name, color, seconds }, index) => (
            <g
              key={key}
              transform={`translate(${AREA.left + ((index % LEGEND.columns) * AREA.width) / LEGEND.columns} ${LEGEND.top + Math.floor(index / LEGEND.columns) * LEGEND.line})`}
            >
              <circle cx="5" cy="-4.5" r="5" style={{ fill: color }} />
              <text x="18">
                {name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name}
                <tspan fill="#18181b" dx="6">
                  {write(seconds)}
                </tspan>
              </text>
            </g>
          ),
        )}
        <text x={right} y={SHEET.height - 24} textAnchor="end" fontSize="11">
          {/* not translated: the name of the product */}
          Stint
        </text>
      </svg>
    </div>
  )
}

function restOf(tasks: readonly DrawnTask[]) {
  if (tasks.length === 0) return []
  const seconds = tasks.reduce((sum, each) => sum + each.seconds, 0)
  const name = t('{count, plural, one {{count} other task} other {{count} other tasks}}', {
    count: tasks.length,
  })
  return [{ key: '', name, color: '#b8b8b4', seconds }]
}
