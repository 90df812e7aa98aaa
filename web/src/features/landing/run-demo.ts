/** Runs the sample timer of the landing page. It stores nothing and sends no requests. */
import { t } from '@stint/core/text.ts'
import { exactDuration, formatDuration, formatTimer } from '@stint/core/time/duration.ts'
import type { Timer } from '@stint/core/timer/timer.ts'
import {
  elapsedSeconds,
  IDLE,
  pauseTimer,
  resumeTimer,
  startTimer,
} from '@stint/core/timer/timer.ts'

const TICK_MILLISECONDS = 1_000
/** How long the sample timer has been running when the page opens. */
export const SAMPLE_ELAPSED_SECONDS = 24 * 60 + 37

/** Returns the label of a task's button, and its accessible name. */
export function rowButton(
  status: Timer['status'],
  task: string,
): { readonly label: string; readonly name: string } {
  switch (status) {
    case 'idle':
      return { label: t('Start'), name: t('Start {task}', { task }) }
    case 'running':
      return { label: t('Running'), name: t('Running {task}', { task }) }
    case 'paused':
      return { label: t('Paused'), name: t('Paused {task}', { task }) }
  }
}

/** Runs the demo in `root`, the markup of TimerDemo. Returns a function that stops it. */
export function runDemo(root: HTMLElement): () => void {
  const rows = all('[data-demo-row]')
  const first = rows[0]?.dataset['demoRow'] ?? ''
  let timer: Timer = startTimer('sample', first, Date.now() - SAMPLE_ELAPSED_SECONDS * 1000)

  const ticking = setInterval(show, TICK_MILLISECONDS)
  root.addEventListener('click', press)
  show()
  return () => {
    clearInterval(ticking)
    root.removeEventListener('click', press)
  }

  function press(event: Event): void {
    const target =
      event.target instanceof Element ? event.target.closest('[data-demo-press]') : null
    const pressed = target?.getAttribute('data-demo-press')
    if (pressed === null || pressed === undefined) return
    const now = Date.now()
    const name = nameOf(timer.status === 'idle' ? pressed : timer.taskId)
    if (timer.status === 'idle') {
      timer = startTimer('sample', pressed, now)
      say(t('Timer started: {task}', { task: name }))
    } else if (pressed === 'pause') {
      timer = pauseTimer(timer, now)
      say(t('Timer paused: {task}', { task: name }))
    } else if (pressed === 'resume') {
      timer = resumeTimer(timer, now)
      say(t('Timer resumed: {task}', { task: name }))
    } else if (pressed === 'stop') {
      const seconds = elapsedSeconds(timer, now)
      const row = rows.find(({ dataset }) => dataset['demoRow'] === pressedTask())
      for (const total of ['today', 'total']) {
        if (row) row.dataset[total] = String(Number(row.dataset[total]) + seconds)
      }
      timer = IDLE
      say(t('Saved {duration} of {task}.', { duration: exactDuration(seconds), task: name }))
    }
    show()
  }

  function pressedTask(): string | null {
    return timer.status === 'idle' ? null : timer.taskId
  }

  function show(): void {
    const seconds = elapsedSeconds(timer, Date.now())
    const text = formatTimer(seconds)
    const cut = text.lastIndexOf(':')
    write('[data-demo-clock]', text.slice(0, cut))
    write('[data-demo-seconds]', text.slice(cut))
    for (const part of all('[data-demo-when]')) {
      part.hidden = !part.dataset['demoWhen']?.split(' ').includes(timer.status)
    }
    for (const row of rows) showRow(row, seconds)
  }

  function showRow(row: HTMLElement, seconds: number): void {
    const active = row.dataset['demoRow'] === pressedTask()
    const extra = active ? seconds : 0
    write('[data-demo-today]', formatDuration(Number(row.dataset['today']) + extra), row)
    write('[data-demo-total]', formatDuration(Number(row.dataset['total']) + extra), row)
    const button = row.querySelector('button')
    if (button) {
      const { label, name } = rowButton(active ? timer.status : 'idle', row.dataset['name'] ?? '')
      write('button', label, row)
      if (button.ariaLabel !== name) button.ariaLabel = name
      button.disabled = timer.status !== 'idle'
    }
    if (!active) return
    write('[data-demo-task]', row.dataset['name'] ?? '')
    const dot = root.querySelector<HTMLElement>('[data-demo-dot] > *')
    if (dot) dot.style.backgroundColor = `var(--color-tint-${row.dataset['color']})`
  }

  function nameOf(taskId: string): string {
    return rows.find(({ dataset }) => dataset['demoRow'] === taskId)?.dataset['name'] ?? ''
  }

  function say(text: string): void {
    write('[data-demo-status]', text)
  }

  function write(selector: string, text: string, within: HTMLElement = root): void {
    const element = within.querySelector(selector)
    if (element && element.textContent !== text) element.textContent = text
  }

  function all(selector: string): HTMLElement[] {
    return [...root.querySelectorAll<HTMLElement>(selector)]
  }
}
