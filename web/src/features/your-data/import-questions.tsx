import { t } from '@stint/core/text.ts'
import type { AskedRows, ImportPlan } from '@stint/core/transfer/import-plan.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { FileRows, Listed, More } from './import-list.tsx'
import type { ImportChoices } from './import-messages.ts'
import { longDuration } from './import-statement.tsx'

/**
 * Asks about rows that may be the same work as others, and about times that the clocks showed twice.
 * Nothing is dropped or moved without an answer.
 */
export function ImportQuestions({
  plan: { repeats, likely, doubledHour },
  choices,
  onChange,
}: {
  plan: ImportPlan
  choices: ImportChoices
  onChange: (choices: Partial<ImportChoices>) => void
}) {
  return (
    <>
      {doubledHour.rows > 0 && (
        <Question
          title={t('In an hour that the clocks showed twice')}
          label={t(
            '{count, plural, one {Read # row as the second of its two times} other {Read # rows as the second of their two times}}',
            { count: doubledHour.rows },
          )}
          asked={doubledHour}
          isChecked={choices.doubledHour === 'second'}
          onChange={(isSecond) => onChange({ doubledHour: isSecond ? 'second' : 'first' })}
        />
      )}
      {repeats.rows > 0 && (
        <Question
          title={t('Same rows in the file')}
          label={t(
            '{count, plural, one {Import # row that is the same as an earlier row ({duration})} other {Import # rows that are the same as earlier rows ({duration})}}',
            { count: repeats.rows, duration: longDuration(repeats.seconds) },
          )}
          asked={repeats}
          isChecked={choices.repeats !== 'leave'}
          onChange={(isTaken) => onChange({ repeats: isTaken ? 'take' : 'leave' })}
        />
      )}
      {likely.rows > 0 && (
        <Question
          title={t('Likely repeats')}
          label={t(
            '{count, plural, one {Import # row at the times of a session that you have ({duration})} other {Import # rows at the times of sessions that you have ({duration})}}',
            { count: likely.rows, duration: longDuration(likely.seconds) },
          )}
          asked={likely}
          isChecked={choices.likely === 'take'}
          onChange={(isTaken) => onChange({ likely: isTaken ? 'take' : 'leave' })}
        />
      )}
    </>
  )
}

function Question({
  title,
  label,
  asked: { rows, examples },
  isChecked,
  onChange,
}: {
  title: string
  label: string
  asked: AskedRows
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}) {
  return (
    <div className="flex flex-col gap-1">
      <Listed title={title}>
        <FileRows rows={examples} />
        {rows > examples.length && <More count={rows - examples.length} />}
      </Listed>
      <Checkbox
        label={label}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  )
}
