import { dueNotices, nextNotice } from '@stint/core/targets/notices.ts'
import { targetText } from '@stint/core/targets/target-text.ts'
import { t } from '@stint/core/text.ts'
import { useEffect, useEffectEvent } from 'react'

import { announceDelay, useAnnounceOnce } from '#hooks/announce.ts'
import { useReport } from '#hooks/use-report.ts'
import { useWaitFor } from '#hooks/use-wait-for.ts'
import { useLocalTasks } from '#session/signed-in.ts'
import { showToast } from '#ui/toast.tsx'
import { useTargets, useTargetsProgress } from './use-targets.ts'

/** Says once that the running timer has reached a target. */
export function TargetWatch() {
  const { status, input } = useReport()
  const tasks = useLocalTasks()
  const all = useTargetsProgress(input, useTargets())
  const announceOnce = useAnnounceOnce()
  useWaitFor(nextNotice(all))
  // From a part of the history nothing is known to be reached, or not to be passed.
  const due = status === 'ready' ? dueNotices(all) : []
  const events = due.map(({ event }) => event).join('\n')

  const say = useEffectEvent(async () => {
    for (const { target, event } of due) {
      const title = target.bound === 'most' ? t('Limit reached') : t('Target reached')
      const body = targetText(target, tasks)
      if (await announceOnce(event, { title, body })) showToast({ text: `${title}: ${body}` })
    }
  })

  useEffect(() => {
    if (events === '') return undefined
    const timeout = setTimeout(() => void say(), announceDelay())
    return () => clearTimeout(timeout)
  }, [events])

  return null
}
