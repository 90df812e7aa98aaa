import { Pause, Play, Square } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import type { Timer } from '@stint/core/timer/timer.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import type { ButtonSize } from '#ui/button.tsx'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'

/** Not visible on a phone at 200 % zoom, where there is room for the icons only. */
const WORD = 'max-[18rem]:sr-only'

/**
 * Pause or Resume, and Stop. What comes next is the larger one: Stop of a running timer, Resume of a
 * paused one. Stop asks for no confirmation. The order stays, so that a second click on Pause never
 * stops.
 */
export function TimerButtons({
  status,
  size = 'medium',
}: {
  status: Exclude<Timer['status'], 'idle'>
  size?: ButtonSize
}) {
  const { pause, resume, stop } = useTimerCommands()
  const paused = status === 'paused'
  const iconClass = size === 'large' ? 'size-5 shrink-0' : 'size-3.5 shrink-0'
  const [main, other] = size === 'large' ? ['flex-[3_0_0]', 'flex-[2_0_0]'] : ['grow-3', 'grow-2']
  return (
    <>
      <Button
        variant={paused ? 'primary' : 'secondary'}
        size={size}
        className={paused ? main : other}
        onClick={() => void (paused ? resume() : pause())}
      >
        <Icon of={paused ? Play : Pause} filled className={iconClass} />
        <span className={WORD}>{paused ? t('Resume') : t('Pause')}</span>
      </Button>
      <Button
        variant={paused ? 'secondary' : 'primary'}
        size={size}
        className={paused ? other : main}
        onClick={() => void stop()}
      >
        <Icon of={Square} filled className={iconClass} />
        <span className={WORD}>{t('Stop')}</span>
      </Button>
    </>
  )
}
