import { X } from 'lucide-react'
import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useSearchParams } from '#ui/navigation.tsx'
import type { BulkEdit } from '@stint/core/record/bulk-edit.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { hasTag } from '@stint/core/record/tags.ts'
import { entryList } from '@stint/core/reports/entry-list.ts'
import type { EntryList, ListedDay } from '@stint/core/reports/entry-list.ts'
import { findSessions, prepareNotes } from '@stint/core/reports/found-sessions.ts'
import { t } from '@stint/core/text.ts'
import { formatFullDate, dateOfDay, startOfDay } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { useRequestHandler } from '#ui/request.ts'
import { Panel } from '#ui/row.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useDayRule } from '#hooks/use-settings.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { FigureButton } from '#ui/chart-section.tsx'
import { useExplain } from '#hooks/use-explain.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { tasksPageRequest } from '#hooks/requests.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useNow } from '#hooks/use-now.ts'
import { BulkBar } from './bulk-bar.tsx'
import { EntryListView } from './entry-list-view.tsx'
import { RunningRow } from './running-row.tsx'
import { allOf, NOTHING_SELECTED } from './selection.ts'
import { useBulkEdit } from './use-bulk-edit.ts'

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
  const { shortcuts, weekStart, hourCycle } = useSettings()
  const dayRule = useDayRule()
  const { entries } = useEntries()
  const { allTasks } = useTasks()
  // The same instant all day, so that a running timer does not search again every second.
  const today = startOfDay(useNow(), dayRule)
  // Deferred, so that typing does not wait for the list.
  const wanted = useDeferredValue(text)
  const filter = useMemo(
    () => parseFilter(wanted, { now: today, dayRule, weekStart, hourCycle }),
    [wanted, today, dayRule, weekStart, hourCycle],
  )
  const found = useMemo(() => findSessions(filter, entries, allTasks), [filter, entries, allTasks])
  const list = useMemo(() => entryList(found), [found])
  useEffect(
    () => whenIdle((mayContinue) => prepareNotes(entries, dayRule, mayContinue)),
    [entries, dayRule],
  )
  useRequestHandler(tasksPageRequest, 'search', () => input.current?.select())

  return (
    <>
      <div className="flex flex-col gap-3">
        <SearchBox
          input={input}
          label={t('Filter sessions')}
          placeholder={t('Words, #tag, task:name, last month, >2h')}
          describedBy={describedBy}
          hasShortcut={shortcuts}
          value={text}
          onChange={setText}
        />
        <div id={describedBy} className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
          {!pending && filter.problem === null && <Totals list={list} filter={filter} />}
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
          setText={setText}
        />
      )}
    </>
  )
}

/** The number of sessions that were found and their total. A press on either shows the sessions. */
function Totals({ list, filter }: { list: EntryList; filter: SessionFilter }) {
  const explain = useExplain()
  const { duration } = useFormats()
  const about = filter.parts.map(({ meaning }) => meaning).join(', ') || t('All time')
  const ask = (title: string, reading: 'sum' | 'count') => () =>
    explain({ title, about, dates: null, only: idsOf(list.entries), savedOnly: true, reading })
  return (
    <p className="text-sm">
      <FigureButton onExplain={ask(t('Sessions'), 'count')}>
        {t('{count, plural, one {# session} other {# sessions}}', { count: list.entries.length })}
      </FigureButton>
      {' · '}
      <FigureButton onExplain={ask(t('Total Time'), 'sum')} title={exactDuration(list.seconds)}>
        {duration(list.seconds)}
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
  setText,
}: {
  list: EntryList
  filter: SessionFilter
  /** The text of the filter. */
  typed: string
  today: number
  /** There is no session at all. */
  isEmpty: boolean
  setText: (text: string) => void
}) {
  const explain = useExplain()
  const [params, setParams] = useSearchParams()
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
      const text = params.get('q') ?? ''
      setParams({ q: hasTag(text, tag) ? text : `${text} #${tag}`.trim() })
      scrollTo(0, 0)
    },
    [params, setParams],
  )
  const explainDay = (day: ListedDay, title: string) =>
    explain({
      title,
      about: t('Sessions started on {date}', {
        date: formatFullDate(dateOfDay(day.day)),
      }),
      dates: null,
      only: idsOf(entries.slice(day.first, day.first + day.count)),
      savedOnly: true,
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
            today={today}
            selection={selection}
            setSelection={setSelection}
            onTag={showTag}
            onDelete={() => edit({ kind: 'delete' })}
            onExplain={explainDay}
          />
        </>
      ) : isEmpty ? (
        <EmptyState drawing="clock">{t('Finished sessions appear here.')}</EmptyState>
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

function idsOf(entries: EntryList['entries']): ReadonlySet<string> {
  return new Set(entries.map(({ id }) => id))
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
