import { countedOf } from '@stint/core/targets/progress.ts'
import type { TargetProgress } from '@stint/core/targets/progress.ts'
import { boundText, targetText } from '@stint/core/targets/target-text.ts'
import { identityOf, scopeName } from '@stint/core/targets/targets.ts'
import type { Target } from '@stint/core/targets/targets.ts'
import { t } from '@stint/core/text.ts'
import { datesText } from '@stint/core/time/date-text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { useExplain } from '#hooks/use-explain.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { Button } from '#ui/button.tsx'
import { FigureButton } from '#ui/chart-section.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Name } from '#ui/name.tsx'
import { Panel } from '#ui/row.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useLocalTasks } from '#session/signed-in.ts'
import { TargetForm } from './target-form.tsx'
import { TargetRing } from './target-ring.tsx'
import { useTargetCommands } from './use-target-commands.ts'
import { usePaceText } from './use-targets.ts'

/** Every target with how far it is, and a way to change and to remove it. */
export function TargetList({
  all,
  pending,
}: {
  all: readonly TargetProgress[]
  /** The figures are not known yet. */
  pending: boolean
}) {
  const [edited, setEdited] = useState<Target | null>(null)
  return (
    <>
      <Panel>
        <ul aria-label={t('Targets')} className="divide-y divide-line">
          {all.map((progress) => (
            <TargetRow
              key={identityOf(progress.target)}
              progress={progress}
              pending={pending}
              onEdit={setEdited}
            />
          ))}
        </ul>
      </Panel>
      {edited && (
        <Dialog open title={t('Edit target')} onClose={() => setEdited(null)}>
          <TargetForm instead={edited} onSaved={() => setEdited(null)}>
            <FormActions>
              <Button type="submit" variant="primary">
                {t('Save')}
              </Button>
              <Button onClick={() => setEdited(null)}>{t('Cancel')}</Button>
            </FormActions>
          </TargetForm>
        </Dialog>
      )}
    </>
  )
}

function TargetRow({
  progress,
  pending,
  onEdit,
}: {
  progress: TargetProgress
  pending: boolean
  onEdit: (target: Target) => void
}) {
  const { target } = progress
  const tasks = useLocalTasks()
  const paceOf = usePaceText()
  const { remove } = useTargetCommands()
  const line = targetText(target, tasks)
  return (
    <li className="flex items-center gap-x-3 py-2.5 ps-4 pe-1 md:gap-x-4 md:py-3">
      <TargetRing progress={progress} pending={pending} className="size-10 self-start" />
      <div className="grid min-w-0 flex-1 gap-x-4 wide:grid-cols-[minmax(0,1fr)_auto] wide:items-baseline">
        <Name text={scopeName(target.scope, tasks)} className="font-semibold text-ink" />
        {pending ? (
          <Skeleton className="h-[1lh] w-28 scale-y-75 max-wide:order-1 wide:justify-self-end" />
        ) : (
          <Worked progress={progress} />
        )}
        <span className="figures text-sm text-quiet">{boundText(target)}</span>
        <span className="figures text-sm text-quiet max-wide:order-2 wide:justify-self-end">
          {!pending && paceOf(progress)}
        </span>
      </div>
      <div className="flex flex-col wide:flex-row">
        <IconButton
          icon={Pencil}
          label={t('Edit {line}', { line })}
          aria-haspopup="dialog"
          onClick={() => onEdit(target)}
        />
        <IconButton
          icon={Trash2}
          label={t('Remove {line}', { line })}
          onClick={() => void remove(target)}
        />
      </div>
    </li>
  )
}

/** '6h 12m of 10h', which explains itself. */
function Worked({ progress }: { progress: TargetProgress }) {
  const { target, dates, workedSeconds, percent } = progress
  const tasks = useLocalTasks()
  const { duration } = useFormats()
  const explain = useExplain()
  return (
    <span className="figures text-sm text-quiet max-wide:order-1 wide:justify-self-end">
      <FigureButton
        title={exactDuration(workedSeconds)}
        onExplain={() =>
          explain({
            title: scopeName(target.scope, tasks),
            about: datesText(dates),
            dates,
            ...countedOf(target.scope, tasks),
          })
        }
      >
        {t('target|{worked} of {wanted}', {
          worked: duration(workedSeconds),
          wanted: duration(target.seconds),
        })}
      </FigureButton>
      <span className="ms-2 inline-block min-w-[4ch] text-end max-[23rem]:sr-only">{`${percent}\u00A0%`}</span>
    </span>
  )
}
