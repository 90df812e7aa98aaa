import { memo } from 'react'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { moneyText } from '@stint/core/timesheet/money.ts'
import { sheetDuration } from '@stint/core/timesheet/rounding.ts'
import { groupLines } from '@stint/core/timesheet/timesheet.ts'
import type { SheetGroup, SheetLine, Timesheet } from '@stint/core/timesheet/timesheet.ts'
import type { SheetChoices } from '@stint/core/timesheet/choices.ts'
import { t } from '@stint/core/text.ts'
import { formatWeekdayAndDate } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { NoteText } from '#hooks/note-text.tsx'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { Figure, Table, Words } from '#ui/paper.tsx'

/** The choices, and whether amounts are shown. */
export interface ShownChoices extends SheetChoices {
  readonly hasAmounts: boolean
}

/** The lines of a sheet under their days or tasks, with sums and the total. */
export const SheetLines = memo(function SheetLines({
  sheet,
  choices,
}: {
  sheet: Timesheet
  choices: ShownChoices
}) {
  const { groupBy, showsExact, hasAmounts } = choices
  const isByDay = groupBy === 'day'
  const groups = groupLines(sheet.lines, groupBy)
  return (
    <Table
      title={t('Lines')}
      showsTitle={false}
      headings={[
        isByDay ? t('Task and note') : t('Day and note'),
        ...(showsExact ? [t('column|Exact')] : []),
        t('Time'),
        ...(hasAmounts ? [t('Amount')] : []),
      ]}
      words={1}
    >
      {groups.map((group) => (
        <Group key={group.key} group={group} choices={choices} />
      ))}
      <tr className="font-semibold">
        <th scope="row" className="py-2 pe-3 text-start align-top">
          {t('Total')}
        </th>
        <Times sums={sheet} choices={choices} />
      </tr>
    </Table>
  )
})

function Group({ group, choices }: { group: SheetGroup; choices: ShownChoices }) {
  const [first] = group.lines
  if (!first) return null
  const isByDay = choices.groupBy === 'day'
  return (
    <>
      <tr className="group-head font-semibold">
        <th
          scope="rowgroup"
          dir="auto"
          className="border-b border-edge pe-3 pt-4 pb-1 text-start align-top wrap-anywhere"
        >
          {isByDay ? dayText(first.date) : first.taskName}
        </th>
        <Times sums={group} choices={choices} isHead />
      </tr>
      {group.lines.map((line) => (
        <Line
          key={`${line.date} ${line.taskId} ${line.isBillable}`}
          title={isByDay ? line.taskName : dayText(line.date)}
          line={line}
          choices={choices}
        />
      ))}
    </>
  )
}

function Line({ title, line, choices }: { title: string; line: SheetLine; choices: ShownChoices }) {
  return (
    <tr>
      <Words isRowHead className="ps-3">
        {title}
        {!line.isBillable && <span className="text-quiet"> · {t('not billable')}</span>}
        {line.notes.map((note) => (
          <span
            key={note}
            dir="auto"
            className="block whitespace-pre-line text-quiet [&_a]:underline [&_a]:decoration-dotted [&_a]:underline-offset-2"
          >
            <NoteText note={note} />
          </span>
        ))}
        {choices.showsExact && <Sessions line={line} choices={choices} />}
      </Words>
      <LineTimes line={line} choices={choices} />
    </tr>
  )
}

/** The sessions of a line, each with its part of it. */
function Sessions({ line, choices }: { line: SheetLine; choices: ShownChoices }) {
  const { timeZone } = useDayRule()
  const { hourCycle, durationFormat } = useSettings()
  const { rounding } = choices
  const isRounded = rounding.per === 'session' && rounding.step > 0
  return line.pieces.map(({ entry, exactSeconds, seconds }) => (
    <span key={entry.id} className="figures block text-xs text-quiet">
      {sessionTimes(entry, timeZone, hourCycle)} · {exactDuration(exactSeconds)}
      {isRounded && ` → ${sheetDuration(seconds, rounding, durationFormat)}`}
    </span>
  ))
}

function LineTimes({ line, choices }: { line: SheetLine; choices: ShownChoices }) {
  const { durationFormat } = useSettings()
  return (
    <>
      {choices.showsExact && (
        <Figure>
          <span className="text-quiet">{exactDuration(line.exactSeconds)}</span>
        </Figure>
      )}
      <Figure>{sheetDuration(line.seconds, choices.rounding, durationFormat)}</Figure>
      {choices.hasAmounts && <Figure>{line.amount ? moneyText(line.amount) : '–'}</Figure>}
    </>
  )
}

/** The cells of a sum. */
function Times({
  sums: { seconds, exactSeconds, amounts },
  choices,
  isHead = false,
}: {
  sums: Pick<Timesheet, 'seconds' | 'exactSeconds' | 'amounts'>
  choices: ShownChoices
  isHead?: boolean
}) {
  const { durationFormat } = useSettings()
  const classes = `figures ps-3 text-end align-top whitespace-nowrap ${isHead ? 'border-b border-edge pt-4 pb-1' : 'py-2'}`
  return (
    <>
      {choices.showsExact && (
        <td className={`${classes} font-normal text-quiet`}>{exactDuration(exactSeconds)}</td>
      )}
      <td className={classes}>{sheetDuration(seconds, choices.rounding, durationFormat)}</td>
      {choices.hasAmounts && (
        <td className={classes}>
          {amounts.map((amount) => (
            <span key={amount.currency} className="block">
              {moneyText(amount)}
            </span>
          ))}
        </td>
      )}
    </>
  )
}

function dayText(date: CalendarDate): string {
  return formatWeekdayAndDate(date, true)
}
