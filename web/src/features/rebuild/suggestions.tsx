import { nameInReports } from '@stint/core/record/task.ts'
import { dayLabel } from '@stint/core/reports/day-timeline.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { t } from '@stint/core/text.ts'
import { totalMilliseconds } from '@stint/core/time/instant.ts'
import { useId, useLayoutEffect, useRef } from 'react'

import { DAY_TIMELINE } from '#hooks/use-day.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { Button } from '#ui/button.tsx'
import { isTyping } from '#ui/is-typing.ts'
import { letterOf } from '#ui/key-letter.ts'
import { Link } from '#ui/navigation.tsx'
import { Panel } from '#ui/row.tsx'
import { Suggestion } from './suggestion.tsx'
import { useSuggestionActions } from './use-suggestion-actions.ts'
import type { SuggestedDay } from '#hooks/use-suggestions.ts'

/**
 * The suggestions by day, newest first. Keys: J and K go from one to the next, Enter accepts, E opens the
 * editor, X dismisses, Shift+Enter accepts all certain ones of the day.
 */
export function Suggestions({
  days,
  input,
}: {
  days: readonly SuggestedDay[]
  input: ReportInput
}) {
  const { acceptAll, ...actions } = useSuggestionActions()
  const { allTasks, colors } = useTasks()
  const { duration } = useFormats()
  const { shortcuts: singleKeys } = useSettings()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  // Before the rows can be seen, so that no key is lost.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (list.current) press(list.current, event, singleKeys)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [singleKeys])

  return (
    <div ref={list} className="flex flex-col gap-5">
      {days.map(({ date, ghosts }) => {
        const label = dayLabel(date, input.now, input.dayRule)
        const certain = ghosts.filter(({ certainty }) => certainty === 'certain')
        return (
          <section key={date} aria-labelledby={`${id}-${date}`}>
            <Panel className="px-4 pt-3 pb-1 md:px-5">
              <header className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
                <h2 id={`${id}-${date}`} className="font-semibold">
                  <Link to={`/reports?day=${date}#${DAY_TIMELINE}`} className="hover:underline">
                    {label}
                  </Link>
                </h2>
                <span className="figures flex-1 text-sm text-quiet">
                  {t('{count, plural, one {# suggestion} other {# suggestions}}, {total}', {
                    count: ghosts.length,
                    total: duration(totalMilliseconds(ghosts) / 1000),
                  })}
                </span>
                {certain.length > 1 && (
                  <Button
                    size="small"
                    variant="quiet"
                    data-accept-all=""
                    onClick={() => acceptAll(certain)}
                  >
                    {t('Accept {count} certain ones', { count: certain.length })}
                  </Button>
                )}
              </header>
              <ul aria-label={label}>
                {ghosts.map((ghost) => {
                  const task = allTasks.find((each) => each.id === ghost.task)
                  return (
                    <Suggestion
                      key={ghost.start}
                      ghost={ghost}
                      task={
                        task ? { name: nameInReports(task), tintName: colors.get(task.id) } : null
                      }
                      dayRule={input.dayRule}
                      actions={actions}
                    />
                  )
                })}
              </ul>
            </Panel>
          </section>
        )
      })}
    </div>
  )
}

/**
 * Does what a key says, in the list or where nothing else takes keys. Outside of the list, single keys can be
 * switched off.
 */
function press(list: HTMLElement, event: KeyboardEvent, hasSingleKeys: boolean): void {
  if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (document.querySelector('[role=dialog]')) return
  const target = event.target instanceof Element ? event.target : null
  if (!list.contains(target) && !hasSingleKeys) return
  const row = target?.closest('[data-suggestion]') ?? null
  const key = letterOf(event)
  if (key === 'j' || key === 'k') go(list, row, key === 'j' ? 1 : -1)
  else if (key === 'e' && row) click(row, 'data-edit')
  else if (key === 'x' && row) click(row, 'data-dismiss')
  else if (event.key === 'Enter' && event.shiftKey && row)
    click(row.closest('section'), 'data-accept-all')
  else return
  event.preventDefault()
}

/** Moves the focus to the first button of another row; from elsewhere to the first row. */
function go(list: HTMLElement, row: Element | null, by: number): void {
  const rows = [...list.querySelectorAll('[data-suggestion]')]
  const at = row ? rows.indexOf(row) + by : 0
  rows[Math.min(Math.max(at, 0), rows.length - 1)]
    ?.querySelector<HTMLElement>('[data-first]')
    ?.focus()
}

function click(within: Element | null, name: string): void {
  within?.querySelector<HTMLElement>(`[${name}]`)?.click()
}
