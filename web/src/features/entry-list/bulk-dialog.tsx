import { useMemo, useState } from 'react'
import { bulkChanges } from '@stint/core/record/bulk-edit.ts'
import type { BulkEdit } from '@stint/core/record/bulk-edit.ts'
import { asTag } from '@stint/core/record/tags.ts'
import { recentTags } from '@stint/core/record/tag-completion.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { t } from '@stint/core/text.ts'
import { readDuration } from '@stint/core/time/time-span-input.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SuggestedTextField } from '#ui/suggested-text-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useDayRule } from '#hooks/use-settings.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { unfitText } from './use-bulk-edit.ts'

/** The edits that a dialog asks about. */
export type Asked = Exclude<BulkEdit['kind'], 'delete'>

const TITLES: Readonly<Record<Asked, string>> = {
  move: t('Change task'),
  tag: t('Add tag'),
  untag: t('Remove tag'),
  shift: t('Move earlier or later'),
}

interface FormProps {
  /** The selected sessions, newest first. */
  readonly entries: readonly TimeEntry[]
  readonly onEdit: (edit: BulkEdit) => void
  readonly onClose: () => void
}

/** Asks for what an edit of the selected sessions needs. */
export function BulkDialog({ asked, ...props }: FormProps & { asked: Asked }) {
  const AskedForm = FORMS[asked]
  return (
    <Dialog open title={TITLES[asked]} onClose={props.onClose}>
      <p className="text-sm">
        {t('{count, plural, one {# session selected} other {# sessions selected}}', {
          count: props.entries.length,
        })}
      </p>
      <AskedForm {...props} />
    </Dialog>
  )
}

const FORMS = { move: MoveForm, tag: TagForm, untag: UntagForm, shift: ShiftForm }

function MoveForm({ onEdit, onClose }: FormProps) {
  const { tasks } = useTasks()
  const [taskId, setTaskId] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const send = () => {
    setIsSubmitted(true)
    if (taskId !== '') onEdit({ kind: 'move', taskId })
  }
  return (
    <EditForm submit={t('Change task')} onSend={send} onClose={onClose}>
      <SelectField
        label={t('Task')}
        required
        data-autofocus=""
        value={taskId}
        error={isSubmitted && taskId === '' ? t('Pick a task.') : null}
        onChange={(event) => setTaskId(event.target.value)}
      >
        <option value="" disabled>
          {t('Pick a task')}
        </option>
        {tasks
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
    </EditForm>
  )
}

/** Suggests so many of the tags that were used last. */
const MAX_SUGGESTIONS = 100

function TagForm({ onEdit, onClose }: FormProps) {
  const { entries } = useEntries()
  const known = useMemo(
    () =>
      recentTags(entries)
        .slice(0, MAX_SUGGESTIONS)
        .map((each) => `#${each}`),
    [entries],
  )
  const [text, setText] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const tag = asTag(text)
  const send = () => {
    setIsSubmitted(true)
    if (tag !== null) onEdit({ kind: 'tag', tag })
  }
  return (
    <EditForm submit={t('Add tag')} onSend={send} onClose={onClose}>
      <SuggestedTextField
        label={t('Tag')}
        data-autofocus=""
        autoCapitalize="none"
        suggestions={known}
        value={text}
        error={isSubmitted && tag === null ? t('A tag has at least one letter.') : null}
        onChange={setText}
      />
    </EditForm>
  )
}

function UntagForm({ entries, onEdit, onClose }: FormProps) {
  const tags = useMemo(() => recentTags(entries), [entries])
  const [tag, setTag] = useState(tags[0])
  if (tag === undefined) return <p>{t('The selected sessions have no tags.')}</p>
  return (
    <EditForm
      submit={t('Remove tag')}
      onSend={() => onEdit({ kind: 'untag', tag })}
      onClose={onClose}
    >
      <SelectField
        label={t('Tag')}
        data-autofocus=""
        value={tag}
        onChange={(event) => setTag(event.target.value)}
      >
        {tags.map((each) => (
          <option key={each} value={each}>
            {`#${each}`}
          </option>
        ))}
      </SelectField>
    </EditForm>
  )
}

function ShiftForm({ entries, onEdit, onClose }: FormProps) {
  const { now } = useRecordCommands()
  const { timeZone } = useDayRule()
  const { hourCycle } = useSettings()
  const [direction, setDirection] = useState<'earlier' | 'later'>('later')
  const [text, setText] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const read = readDuration(text)
  const seconds = read.kind === 'duration' ? read.seconds : 0
  const edit: BulkEdit = {
    kind: 'shift',
    milliseconds: (direction === 'earlier' ? -1000 : 1000) * seconds,
  }
  const { changes, unfit } = useMemo(
    () => bulkChanges(entries, { kind: 'shift', milliseconds: edit.milliseconds }, now()),
    [entries, edit.milliseconds, now],
  )
  const problem =
    read.kind === 'problem'
      ? read.message
      : seconds === 0
        ? t('Enter a duration, such as 15m or 1h.')
        : unfit.length > 0
          ? unfitText(edit, unfit.length)
          : null
  const example = changes[0]
  const send = () => {
    setIsSubmitted(true)
    if (problem === null) onEdit(edit)
  }
  return (
    <EditForm submit={t('Move')} onSend={send} onClose={onClose}>
      <TextField
        label={t('Move by')}
        data-autofocus=""
        autoComplete="off"
        placeholder="1h 15m"
        value={text}
        error={isSubmitted || unfit.length > 0 ? problem : null}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Segmented
          label={t('Direction')}
          options={DIRECTIONS}
          value={direction}
          onChange={setDirection}
        />
      </div>
      <output className="figures min-h-5 text-sm text-ink">
        {problem === null &&
          example?.before &&
          t('{before} becomes {after}', {
            before: sessionTimes(example.before, timeZone, hourCycle),
            after: sessionTimes(example.after, timeZone, hourCycle),
          })}
      </output>
    </EditForm>
  )
}

const DIRECTIONS = [
  { value: 'earlier', label: t('Earlier') },
  { value: 'later', label: t('Later') },
] as const

function EditForm({
  submit,
  onSend,
  onClose,
  children,
}: {
  submit: string
  onSend: () => void
  onClose: () => void
  children: React.ReactNode
}) {
  return (
    <Form noValidate onSend={async () => onSend()} className="flex flex-col gap-4">
      {children}
      <FormActions>
        <Button type="submit" variant="primary">
          {submit}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </FormActions>
    </Form>
  )
}
