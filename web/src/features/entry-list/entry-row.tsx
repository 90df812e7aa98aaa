import { Blend, Coins, Stamp } from 'lucide-react'
import { memo } from 'react'
import type { MouseEvent } from 'react'
import { splitAtTags } from '@stint/core/record/tags.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { classNames } from '#ui/class-names.ts'
import { CheckboxInput } from '#ui/checkbox.tsx'
import { Icon } from '#ui/icon.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { ContinueSession } from '#hooks/continue-session.tsx'
import type { Billing } from './use-billing.ts'
import { openEditor } from '#hooks/requests.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'

/**
 * A session of the list. A press on it opens the editor, with Shift or Ctrl it selects. Only the
 * active row is a stop of the Tab key.
 */
export const EntryRow = memo(function EntryRow({
  entry,
  index,
  top,
  height,
  place,
  places,
  taskName,
  color,
  canContinue,
  overlaps,
  billing,
  isSelected,
  isActive,
  onSelect,
  onTag,
}: {
  entry: TimeEntry
  /** Its index in the list. */
  index: number
  /** Where it is in its day, in rem. */
  top: number
  height: number
  /** Its place among the sessions of its day, from 1 on. */
  place: number
  places: number
  taskName: string
  color: TaskColor | undefined
  /** Whether its task can be started. */
  canContinue: boolean
  /** Whether it overlaps another session. */
  overlaps: boolean
  /** What is said about invoices; null: nothing. */
  billing: Billing | null
  isSelected: boolean
  isActive: boolean
  onSelect: (index: number, isRange: boolean) => void
  onTag: (tag: string) => void
}) {
  const { timeZone } = useDayRule()
  const { hourCycle } = useSettings()
  const { duration } = useFormats()
  const times = sessionTimes(entry, timeZone, hourCycle)
  const session = `${taskName}, ${times}`
  const boxId = `select-${entry.id}`
  const tabIndex = isActive ? 0 : -1

  function press(event: MouseEvent) {
    if (event.shiftKey) onSelect(index, true)
    else if (event.ctrlKey || event.metaKey) onSelect(index, false)
    else openEditor({ kind: 'edit', entryId: entry.id })
  }

  return (
    <li
      data-row={index}
      aria-posinset={place}
      aria-setsize={places}
      style={{ top: `${top}rem`, height: `${height}rem` }}
      className={classNames(
        'absolute inset-x-0 flex scroll-my-28 items-center gap-2 border-t border-line text-sm',
        canContinue ? 'pe-1 md:pe-2' : 'pe-4',
        isSelected ? 'bg-accent-soft' : 'hoverable:hover:bg-wash',
      )}
    >
      <label
        htmlFor={boxId}
        className="relative z-10 flex h-full w-11 shrink-0 items-center justify-center md:w-12"
      >
        <CheckboxInput
          id={boxId}
          aria-label={t('Select {session}', { session })}
          checked={isSelected}
          tabIndex={tabIndex}
          onChange={({ nativeEvent }) =>
            onSelect(index, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
          }
        />
      </label>
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 lg:grid lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_minmax(min-content,10rem)_minmax(min-content,5rem)] lg:items-center lg:gap-x-4">
        <div className={LINE}>
          <div className="flex min-w-0 flex-1 items-center gap-3">
            <Dot tintName={color} />
            <button
              type="button"
              aria-label={t('Edit {session}', { session })}
              tabIndex={tabIndex}
              onClick={press}
              className="min-w-0 flex-1 text-start font-semibold outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              <Name text={taskName} />
            </button>
          </div>
          <span
            title={exactDuration(entry.durationSeconds)}
            className="figures text-end font-semibold whitespace-nowrap lg:order-last"
          >
            {duration(entry.durationSeconds)}
          </span>
        </div>
        <div className={classNames(LINE, 'min-h-6 max-lg:ps-5.5 max-lg:text-xs')}>
          <Note note={entry.note} tabIndex={tabIndex} onTag={onTag} />
          <span className="figures inline-flex items-center justify-end gap-1.5 whitespace-nowrap text-quiet">
            {overlaps && (
              <span title={t('Overlaps another session')} className="text-ink">
                <Icon of={Blend} className="size-3.5" />
                <span className="sr-only">{t('Overlaps another session')}, </span>
              </span>
            )}
            <BillingMark billing={billing} />
            {times}
          </span>
        </div>
      </div>
      {canContinue && (
        <ContinueSession
          taskId={entry.taskId}
          note={entry.note}
          what={session}
          tabIndex={tabIndex}
          className="relative z-10 print:hidden"
        />
      )}
    </li>
  )
})

const BILLING = {
  billable: { icon: Coins, text: t('Billable') },
  invoiced: { icon: Stamp, text: t('Invoiced') },
} as const

function BillingMark({ billing }: { billing: Billing | null }) {
  if (billing === null) return null
  const { icon, text } = BILLING[billing]
  return (
    <span title={text}>
      <Icon of={icon} className="size-3.5" />
      <span className="sr-only">{text}, </span>
    </span>
  )
}

/** One of the two lines on a phone; both are one line on a wide screen. */
const LINE = 'flex items-center gap-x-3 lg:contents'

/** A note on one line. Each of its tags is a button. */
function Note({
  note,
  tabIndex,
  onTag,
}: {
  note: string | null
  tabIndex: number
  onTag: (tag: string) => void
}) {
  return (
    <span dir="auto" title={note ?? undefined} className="name min-w-0 flex-1 text-quiet">
      {note !== null &&
        splitAtTags(note).map((text, index) =>
          index % 2 === 0 ? (
            text
          ) : (
            <button
              key={index}
              type="button"
              tabIndex={tabIndex}
              title={t('Show sessions with {tag}', { tag: text })}
              onClick={() => onTag(text.slice(1))}
              className="relative z-10 rounded-square py-1 text-accent hover:underline"
            >
              {text}
            </button>
          ),
        )}
    </span>
  )
}
