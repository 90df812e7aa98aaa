import { Pause, Play, Square } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import type { Timer } from '@stint/core/timer/timer.ts'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import type { ButtonSize } from '#ui/button.tsx'
import { useTimerCommands } from './api/commands.ts'

/** Stop, and Pause or Resume. Stop is larger and asks for no confirmation. */
export function TimerButtons({
  status,
  size = 'medium',
}: {
  status: Exclude<Timer['status'], 'idle'>
  size?: ButtonSize
}) {
  const { pause, resume, stop } = useTimerCommands()
  const iconClass = size === 'large' ? 'size-5 shrink-0' : 'size-3.5 shrink-0'
  return (
    <>
      <Button
        variant="primary"
        size={size}
        className={size === 'large' ? 'flex-[3_0_0]' : 'grow-3'}
        onClick={() => void stop()}
      >
        <Icon of={Square} filled className={iconClass} />
        {t('Stop')}
      </Button>
      {status === 'running' ? (
        <Button
          size={size}
          className={size === 'large' ? 'flex-[2_0_0]' : 'grow-2'}
          onClick={() => void pause()}
        >
          <Icon of={Pause} filled className={iconClass} />
          {t('Pause')}
        </Button>
      ) : (
        <Button
          size={size}
          className={size === 'large' ? 'flex-[2_0_0]' : 'grow-2'}
          onClick={() => void resume()}
        >
          <Icon of={Play} filled className={iconClass} />
          {t('Resume')}
        </Button>
      )}
    </>
  )
}
