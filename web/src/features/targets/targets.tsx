import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { t } from '@stint/core/text.ts'
import { useId } from 'react'

import { useMinuteInput } from '#hooks/use-report.ts'
import { useChangeSettings, useSettings, useStoredSettings } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Panel } from '#ui/row.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Switch } from '#ui/switch.tsx'
import { TargetForm } from './target-form.tsx'
import { TargetList } from './target-list.tsx'
import { useTargets, useTargetsProgress } from './use-targets.ts'

/** The targets: how far each is, and what sets, changes and removes them. */
export function Targets({ input: given, pending }: { input: ReportInput; pending: boolean }) {
  const input = useMinuteInput(given)
  const targets = useTargets()
  const all = useTargetsProgress(input, targets)
  const { known } = useStoredSettings()
  if (!known) return <Skeleton className="h-40 w-full" />
  if (targets.length === 0) return <NoTargets />
  return (
    <div className="flex flex-col gap-6">
      <TargetForm instead={null} isInline>
        <Button type="submit" className="self-start md:mt-6.5 md:h-10">
          {t('target|Add')}
        </Button>
      </TargetForm>
      <TargetList all={all} pending={pending} />
      <Notice />
    </div>
  )
}

function NoTargets() {
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-2">
      <EmptyState drawing="clock">
        {t('Say what you aim for, and see what is left to go each day.')}
      </EmptyState>
      <TargetForm instead={null}>
        <p className="text-sm text-quiet">
          {t(
            'At least or at most, a day, a week or a month, of all work, a category, a #tag or a task.',
          )}
        </p>
        <Button type="submit" variant="primary" className="self-start">
          {t('Set target')}
        </Button>
      </TargetForm>
    </div>
  )
}

/** The setting that says when a target is reached. */
function Notice() {
  const { goalReached, notifications } = useSettings()
  const change = useChangeSettings()
  const id = useId()
  const canAsk = 'Notification' in globalThis && Notification.permission === 'default'
  return (
    <Panel className="px-4">
      <LabelledRow label={t('Notify me when I reach a goal or target')} controlId={id}>
        <Switch
          id={id}
          checked={goalReached}
          onChange={({ target }) => {
            change({ goalReached: target.checked })
            if (target.checked && notifications && canAsk) void Notification.requestPermission()
          }}
        />
      </LabelledRow>
    </Panel>
  )
}
