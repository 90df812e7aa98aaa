import { Pause, Play, Square } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { formatDuration, formatTimer } from '@stint/core/time/duration.ts'
import { dashboard } from '@stint/core/reports/dashboard.ts'
import type { TaskRow } from '@stint/core/reports/dashboard.ts'
import { Icon } from '#ui/icon.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Name } from '#ui/name.tsx'
import { Dot, Panel, RowNumber } from '#ui/row.tsx'
import { rowButton, runDemo, SAMPLE_ELAPSED_SECONDS } from './run-demo.ts'
import { SAMPLE, SAMPLE_TASK_ID } from './sample.ts'

/**
 * The dashboard's timer and Quick Start list on sample data, with working controls. The markup contains
 * the elements of every state and `runDemo` shows those of the current one, so that the prerendered
 * page needs no React.
 */
export function TimerDemo() {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => (root.current ? runDemo(root.current) : undefined), [])
  const { rows } = dashboard(SAMPLE)
  const running = rows.find(({ task }) => task.id === SAMPLE_TASK_ID)

  return (
    <div ref={root} data-demo="" className="flex flex-col gap-3">
      <section
        aria-label={t('Sample timer')}
        className="flex flex-col gap-x-8 gap-y-6 rounded-panel border border-line bg-surface p-5 md:flex-row md:items-end md:justify-between md:p-8"
      >
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex h-6 items-center gap-3">
            <h2 className="text-sm text-quiet">{t('Current Session')}</h2>
            <When state="running">
              <Badge tone="live">{t('Running')}</Badge>
            </When>
            <When state="paused" hidden>
              <Badge tone="held">{t('Paused')}</Badge>
            </When>
          </div>
          <Numerals />
          <When state="running paused">
            <span className="flex min-w-0 items-center gap-2.5 font-semibold">
              <span data-demo-dot="" className="flex">
                <Dot tintName={running?.color} />
              </span>
              <span data-demo-task="">{running?.task.name}</span>
            </span>
          </When>
          <When state="idle" hidden>
            <span className="text-quiet">{t('Select a task below to start timing')}</span>
          </When>
        </div>
        <div className="flex h-12 gap-2 md:w-72">
          <When state="running" className="flex grow">
            <Button size="large" className="grow" data-demo-press="pause">
              <Icon of={Pause} filled className="size-5" />
              {t('Pause')}
            </Button>
          </When>
          <When state="paused" hidden className="flex grow-2">
            <Button variant="primary" size="large" className="grow" data-demo-press="resume">
              <Icon of={Play} filled className="size-5" />
              {t('Resume')}
            </Button>
          </When>
          <When state="running" className="flex grow-2">
            <Button variant="primary" size="large" className="grow" data-demo-press="stop">
              <Icon of={Square} filled className="size-5" />
              {t('Stop')}
            </Button>
          </When>
          <When state="paused" hidden className="flex grow">
            <Button size="large" className="grow" data-demo-press="stop">
              <Icon of={Square} filled className="size-5" />
              {t('Stop')}
            </Button>
          </When>
        </div>
      </section>
      <Panel>
        <ul aria-label={t('Sample tasks')}>
          {rows.slice(0, 3).map((row) => (
            <DemoRow key={row.task.id} row={row} />
          ))}
        </ul>
      </Panel>
      <p className="text-xs text-quiet">
        {t('It’s live. Try it.')}{' '}
        <span data-demo-status="" aria-live="polite">
          {t('Press Stop, then start another task.')}
        </span>
      </p>
    </div>
  )
}

/** The elapsed time in large digits. */
function Numerals() {
  const text = formatTimer(SAMPLE_ELAPSED_SECONDS)
  const cut = text.lastIndexOf(':')
  return (
    <span
      role="timer"
      aria-label={t('Elapsed time')}
      className="figures -ms-1 text-[clamp(4rem,21vw,5.5rem)] leading-none font-light tracking-tighter lg:text-[10rem]"
    >
      <span data-demo-clock="">{text.slice(0, cut)}</span>
      <span data-demo-seconds="" className="text-quiet">
        {text.slice(cut)}
      </span>
    </span>
  )
}

function DemoRow({ row }: { row: TaskRow }) {
  const { task, color, todaySeconds, totalSeconds } = row
  const active = task.id === SAMPLE_TASK_ID
  const status = active ? 'running' : 'idle'
  const saved = active ? SAMPLE_ELAPSED_SECONDS : 0
  return (
    <li
      data-demo-row={task.id}
      data-name={task.name}
      data-color={color}
      data-today={todaySeconds - saved}
      data-total={totalSeconds - saved}
      className="flex h-16 items-center gap-3 border-t border-line px-4 text-sm first:border-t-0 md:h-12 md:gap-4"
    >
      <RowNumber place={Number(row.number)} />
      <div className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-4">
        <div className="flex min-w-0 flex-1 items-center gap-2.5">
          <Dot tintName={color} />
          <Name text={task.name} />
        </div>
        <div className="figures flex gap-3 ps-5 text-xs md:gap-4 md:text-sm md:whitespace-nowrap">
          <span className="md:w-28 md:text-end">
            <span className="text-quiet">{t('Today')} </span>
            <span data-demo-today="" className="whitespace-nowrap">
              {formatDuration(todaySeconds)}
            </span>
          </span>
          <span className="max-md:hidden md:w-32 md:text-end">
            <span className="text-quiet">{t('Total')} </span>
            <span data-demo-total="">{formatDuration(totalSeconds)}</span>
          </span>
        </div>
      </div>
      <Button
        size="small"
        className="w-24"
        disabled
        aria-label={rowButton(status, task.name).name}
        data-demo-press={task.id}
      >
        {rowButton(status, task.name).label}
      </Button>
    </li>
  )
}

/** Content for the given states of the demo. */
function When({
  state,
  hidden = false,
  className,
  children,
}: {
  state: string
  hidden?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <span data-demo-when={state} hidden={hidden} className={className}>
      {children}
    </span>
  )
}
