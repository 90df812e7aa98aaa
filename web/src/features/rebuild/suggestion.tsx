import type { Ghost } from '@stint/core/traces/ghosts.ts'
import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'
import { Check, Pencil, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { useFormats } from '#hooks/use-formats.ts'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Dot } from '#ui/row.tsx'
import { TaskChoice } from './task-choice.tsx'
import type { PickedTask } from './task-choice.tsx'
import { ruleTextOf } from './rule-of.ts'
import { CERTAINTY_WORDS, proofText, whyText } from '#hooks/proof-words.ts'

/** What is done with a suggestion. */
export interface SuggestionActions {
  readonly accept: (ghost: Ghost) => void
  readonly edit: (ghost: Ghost) => void
  readonly dismiss: (ghost: Ghost) => void
  readonly pick: (ghost: Ghost, task: PickedTask) => void
}

/**
 * One suggestion: when, which task, and under it each proof. Its first button accepts it, or picks the
 * task that nothing says yet.
 */
export function Suggestion({
  ghost,
  task,
  dayRule,
  actions,
}: {
  ghost: Ghost
  /** The suggested task; null if nothing says which. */
  task: { readonly name: string; readonly tintName: string | undefined } | null
  dayRule: DayRule
  actions: SuggestionActions
}) {
  const id = useId()
  const formats = useFormats()
  const [isPicking, setIsPicking] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  const time = (at: number) => formats.timeInRange(at, dayRule.timeZone)
  const times = `${time(ghost.start)} – ${time(ghost.end)}`
  const close = () => {
    first.current?.focus()
    setIsPicking(false)
  }
  const about = (action: string) => (
    <>
      {action}
      <span className="sr-only"> {times}</span>
    </>
  )
  return (
    <li
      data-suggestion=""
      aria-labelledby={id}
      className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0 lg:grid lg:grid-cols-[9rem_1fr_auto]"
    >
      <div className="figures flex flex-col">
        <span id={id} className="font-semibold">
          {times}
        </span>
        <span className="text-sm text-quiet">
          {formats.duration((ghost.end - ghost.start) / 1000)}
        </span>
      </div>
      <div className="min-w-0 max-lg:order-last max-lg:basis-full">
        <p className="flex min-h-6 flex-wrap items-center gap-x-2">
          <Dot tintName={task?.tintName} />
          <span dir="auto" className={task ? 'name font-semibold' : 'text-quiet'}>
            {task?.name ?? t('Which task?')}
          </span>
          <span title={whyText(ghost)} className="rounded-full bg-wash px-2 text-xs text-quiet">
            {CERTAINTY_WORDS[ghost.certainty]}
          </span>
        </p>
        {/* A note that is in a proof would be there twice. */}
        {ghost.note !== '' && !ghost.proofs.some(({ title }) => title.includes(ghost.note)) && (
          <p dir="auto" className="text-sm wrap-anywhere">
            {ghost.note}
          </p>
        )}
        <ul className="text-sm text-quiet">
          {ghost.proofs.map((proof) => (
            <li key={`${proof.kind} ${proof.where} ${proof.title}`} className="wrap-anywhere">
              {proofText(proof, { duration: formats.duration, time })}
            </li>
          ))}
        </ul>
        {isPicking && (
          <TaskChoice
            what={ruleTextOf(ghost) || times}
            isOnce={ghost.why.time === 'presence'}
            onPick={(picked) => {
              close()
              actions.pick(ghost, picked)
            }}
            onClose={close}
          />
        )}
      </div>
      <div className="-me-2 flex items-start gap-1">
        <Button
          ref={first}
          size="small"
          data-first=""
          aria-expanded={task ? undefined : isPicking}
          onClick={() => (task ? actions.accept(ghost) : setIsPicking(!isPicking))}
        >
          {task && <Icon of={Check} />}
          {about(task ? t('suggestion|Accept') : t('Pick a task'))}
        </Button>
        <IconButton
          icon={Pencil}
          label={`${t('suggestion|Edit first')} ${times}`}
          data-edit=""
          onClick={() => actions.edit(ghost)}
        />
        <IconButton
          icon={X}
          label={`${t('suggestion|Dismiss')} ${times}`}
          data-dismiss=""
          onClick={() => actions.dismiss(ghost)}
        />
      </div>
    </li>
  )
}
