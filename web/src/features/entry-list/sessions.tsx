import { X } from 'lucide-react'
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Link, useSearchParams } from '#ui/navigation.tsx'
import { allOverlaps } from '@stint/core/record/overlaps.ts'
import type { BulkEdit } from '@stint/core/record/bulk-edit.ts'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { hasTag } from '@stint/core/record/tags.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { entryList } from '@stint/core/reports/entry-list.ts'
import type { EntryList, ListedDay } from '@stint/core/reports/entry-list.ts'
import { prepareNotes } from '@stint/core/reports/found-sessions.ts'
import { sessionCountText } from '@stint/core/reports/session-count.ts'
import { t } from '@stint/core/text.ts'
import { formatFullDate, dateOfDay } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Button, buttonClasses } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { useRequestHandler } from '#ui/request.ts'
import { Panel } from '#ui/row.tsx'
import { later } from '#ui/later.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useDayRule } from '#hooks/use-settings.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { FigureButton } from '#ui/chart-section.tsx'
import { useExplain } from '#hooks/use-explain.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { runShortcut, tasksPageRequest } from '#hooks/requests.ts'
import { useFoundSessions } from '#hooks/use-found-sessions.ts'
import { BulkBar } from './bulk-bar.tsx'
import { EntryListView } from './entry-list-view.tsx'
import { FilterPins } from './filter-pins.tsx'
import { RunningRow } from './running-row.tsx'
import { allOf, NOTHING_SELECTED } from './selection.ts'
import { useBulkEdit } from './use-bulk-edit.ts'
import { useMatchingTimer } from './use-matching-timer.ts'

const FilterSuggestions = later(
  async () => (await import('#hooks/filter-suggestions.tsx')).FilterSuggestions,
)

/** The filter box and the sessions that it finds. */
export function Sessions({
  text,
  setText,
  pending,
}: {
  text: string
  setText: (text: string) => void
  /** While the history is loading, nothing is listed, and no total is shown. */
  pending: boolean
}) {
  const input = useRef<HTMLInputElement>(null)
  const describedBy = useId()
  const { shortcuts } = useSettings()
  const dayRule = useDayRule()
  const { entries } = useEntries()
  const { wanted, today, filter, found } = useFoundSessions(text)
  const list = useMemo(() => entryList(found), [found])
  useEffect(
    () => whenIdle((mayContinue) => prepareNotes(entries, dayRule, mayContinue)),
    [entries, dayRule],
  )
  const overlapping = useOverlapping(entries)
  useRequestHandler(tasksPageRequest, 'search', () => input.current?.select())

  return (
    <>
      <div className="flex flex-col gap-3">
        <SearchBox
          input={input}
          label={t('Filter sessions')}
          placeholder={t('Words, #tag, @category, last month, >2h')}
          describedBy={describedBy}
          hasShortcut={shortcuts}
          value={text}
          onChange={setText}
        >
          {(field) => <FilterSuggestions field={field} />}
        </SearchBox>
        {!pending && <FilterPins text={wanted} filter={filter} setText={setText} />}
        <div id={describedBy} className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
          {!pending && entries.length > 0 && filter.problem === null && (
            <Totals list={list} filter={filter} />
          )}
          <Chips filter={filter} setText={setText} />
        </div>
      </div>
      {pending ? (
        <Panel>
          <SkeletonRows rows={8} />
        </Panel>
      ) : (
        <Found
          list={list}
          filter={filter}
          typed={wanted}
          today={today}
          isEmpty={entries.length === 0}
          overlapping={overlapping}
          setText={setText}
        />
      )}
    </>
  )
}

/** The number of sessions that were found and their total, with the running one. A press on either shows the sessions. */
function Totals({ list, filter }: { list: EntryList; filter: SessionFilter }) {
  const explain = useExplain()
  const { duration } = useFormats()
  const about = filter.parts.map(({ meaning }) => meaning).join(', ') || t('All time')
  const live = useMatchingTimer(filter)
  const seconds = list.seconds + (live?.durationSeconds ?? 0)
  const ask = (title: string, reading: 'sum' | 'count') => () =>
    explain({ title, about, dates: null, only: idsOf(list.entries, live), reading })
  return (
    <p className="text-sm">
      <FigureButton onExplain={ask(t('Sessions'), 'count')}>
        {sessionCountText({ begun: list.entries.length, earlier: 0, hasLive: live !== null })}
      </FigureButton>
      {' · '}
      <FigureButton onExplain={ask(t('Total Time'), 'sum')} title={exactDuration(seconds)}>
        {duration(seconds)}
      </FigureButton>
    </p>
  )
}

/** What each part of the filter means. A press removes the part. */
function Chips({ filter, setText }: { filter: SessionFilter; setText: (text: string) => void }) {
  if (filter.parts.length === 0) return null
  return (
    <ul aria-label={t('Filter')} className="flex flex-wrap gap-1.5">
      {filter.parts.map((part, index) => (
        <li key={index}>
          <button
            type="button"
            onClick={() => {
              const others = filter.parts.filter((other) => other !== part)
              setText(others.map(({ typed }) => typed).join(' '))
            }}
            className="inline-flex h-8 max-w-64 items-center gap-1.5 rounded-full border border-line bg-surface ps-3 pe-2 text-xs hover:border-edge max-md:h-11"
          >
            <span className="sr-only">{t('Remove filter')} </span>
            <span dir="auto" className="name">
              {part.meaning}
            </span>
            <Icon of={X} className="size-3.5 shrink-0 text-quiet" />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The sessions that were found, and the edits of the selected ones. */
const Found = memo(function Found({
  list,
  filter,
  typed,
  today,
  isEmpty,
  overlapping,
  setText,
}: {
  list: EntryList
  filter: SessionFilter
  /** The text of the filter. */
  typed: string
  today: number
  /** There is no session at all. */
  isEmpty: boolean
  /** The ids of the sessions that overlap another one. */
  overlapping: ReadonlySet<string>
  setText: (text: string) => void
}) {
  const explain = useExplain()
  const [, setParams] = useSearchParams()
  const bulk = useBulkEdit()
  const [selection, setSelection] = useState(NOTHING_SELECTED)
  // Another text selects nothing. The same text is parsed again on a new day or with other
  // settings, and keeps the selection.
  const [selectedIn, setSelectedIn] = useState(typed)
  if (selectedIn !== typed) {
    setSelectedIn(typed)
    setSelection(NOTHING_SELECTED)
  }
  const { entries } = list
  const selected = useMemo(
    () => (selection.ids.size === 0 ? [] : entries.filter(({ id }) => selection.ids.has(id))),
    [entries, selection],
  )
  const edit = (wanted: BulkEdit) => {
    void bulk.edit(selected, wanted)
    if (wanted.kind === 'delete') setSelection(NOTHING_SELECTED)
  }
  const showTag = useCallback(
    (tag: string) => {
      setParams({ q: hasTag(typed, tag) ? typed : `${typed} #${tag}`.trim() })
      scrollTo(0, 0)
    },
    [typed, setParams],
  )
  const explainDay = (day: ListedDay, title: string, live: TimeEntry | null) =>
    explain({
      title,
      about: t('Sessions started on {date}', {
        date: formatFullDate(dateOfDay(day.day)),
      }),
      dates: null,
      only: idsOf(entries.slice(day.first, day.first + day.count), live),
    })

  return (
    <Panel className="overflow-visible!">
      <RunningRow filter={filter} />
      {entries.length > 0 ? (
        <>
          <BulkBar
            selected={selected}
            count={entries.length}
            progress={bulk.progress}
            onSelectAll={() => setSelection(allOf(entries))}
            onClear={() => setSelection(NOTHING_SELECTED)}
            onEdit={edit}
          />
          <EntryListView
            list={list}
            filter={filter}
            today={today}
            overlapping={overlapping}
            isFiltered={filter.parts.length > 0}
            selection={selection}
            setSelection={setSelection}
            onTag={showTag}
            onDelete={() => edit({ kind: 'delete' })}
            onExplain={explainDay}
          />
        </>
      ) : isEmpty ? (
        <EmptyState
          drawing="clock"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <Button variant="primary" onClick={() => runShortcut('start')}>
                {t('Start')}
              </Button>
              <Link to="/data" className={buttonClasses()}>
                {t('Import')}
              </Link>
            </div>
          }
        >
          {t('Finished sessions appear here.')}
        </EmptyState>
      ) : (
        <EmptyState
          drawing="search"
          action={<Button onClick={() => setText('')}>{t('Clear filter')}</Button>}
        >
          {filter.problem ?? t('No sessions match')}
        </EmptyState>
      )}
    </Panel>
  )
})

/** Returns the ids of the sessions that overlap another one, once the list is painted. */
function useOverlapping(entries: EntryList['entries']): ReadonlySet<string> {
  const [found, setFound] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const timeout = setTimeout(() => {
      setFound(new Set(allOverlaps(entries).flatMap(({ first, second }) => [first.id, second.id])))
    })
    return () => clearTimeout(timeout)
  }, [entries])
  return found
}

function idsOf(entries: EntryList['entries'], live: TimeEntry | null): ReadonlySet<string> {
  return new Set([...entries, ...(live ? [live] : [])].map(({ id }) => id))
}

/** The longest stretch of work while the browser is idle, in milliseconds. */
const MAX_WORK_MILLISECONDS = 5

/**
 * Calls `work` in short stretches until it returns true. Returns a function that stops it. `work`
 * asks after each step whether it may continue.
 */
function whenIdle(work: (mayContinue: () => boolean) => boolean): () => void {
  let timeout: ReturnType<typeof setTimeout>
  const run = () => {
    const until = performance.now() + MAX_WORK_MILLISECONDS
    if (!work(() => performance.now() < until)) timeout = setTimeout(run)
  }
  timeout = setTimeout(run)
  return () => clearTimeout(timeout)
}
