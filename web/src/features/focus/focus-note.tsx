import { t } from '@stint/core/text.ts'
import { formatTimer } from '@stint/core/time/duration.ts'
import type { PomodoroPhase } from '@stint/core/focus/pomodoro.ts'
import { Coffee, Target } from 'lucide-react'

import { useRecord } from '#session/signed-in.ts'

import { Icon } from '#ui/icon.tsx'
import { usePhase, useSeconds } from './use-phase.ts'

/**
 * Shows '12:30 of focus left' or '3:10 of break left'. It is not a live region, as it changes every second.
 */
export function FocusNote() {
  useSeconds()
  const phase = usePhase()
  const { clock } = useRecord()
  if (!phase) return null
  const isRest = phase.kind === 'break' || phase.kind === 'over' || phase.kind === 'due'
  return (
    <p className="figures flex items-center gap-1.5 text-xs text-quiet">
      <Icon of={isRest ? Coffee : Target} />
      {noteOf(phase, clock.now())}
    </p>
  )
}

function noteOf(phase: PomodoroPhase, now: number): string {
  switch (phase.kind) {
    case 'focus':
      return t('{time} of focus left', { time: timeOf(phase.endsAt - now) })
    case 'held':
      return t('{time} of focus left', { time: timeOf(phase.leftMilliseconds) })
    case 'due':
      return t('Time for a break')
    case 'break':
      return t('{time} of break left', { time: timeOf(phase.endsAt - now) })
    case 'over':
      return t('The break is over')
  }
}

/** Rounds up, so that the last second shows 0:01 and never 0:00. */
function timeOf(milliseconds: number): string {
  return formatTimer(Math.ceil(milliseconds / 1000)).replace(/^0(?=\d)/, '')
}
