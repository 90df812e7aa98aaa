/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the platform's lists cannot be moved through while a field has the focus */
import { bestChoices } from '@stint/core/fuzzy-search.ts'
import { t } from '@stint/core/text.ts'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'

import { useSettings } from '#hooks/use-settings.ts'
import { useStartLine } from '#hooks/use-start-line.ts'
import type { ReadLine } from '#hooks/use-start-line.ts'
import { Icon } from '#ui/icon.tsx'
import { letterOf } from '#ui/key-letter.ts'
import { NamedOption, Option, placeAfter } from '#ui/listbox.tsx'
import { Modal } from '#ui/modal.tsx'

import { Dot } from '#ui/row.tsx'
import { Keys } from './key-caps.tsx'
import { usePaletteItems } from './palette-items.ts'
import type { PaletteItem } from './palette-items.ts'
import { useSessionItems } from './session-items.ts'

/** More are never read. Another typed letter narrows the list. */
const MAX_SHOWN = 50
/** Limits tasks and saved filters while nothing is typed, so that the actions below them stay visible. */
const MAX_TASKS_UNFILTERED = 6
const MAX_FILTERS_UNFILTERED = 3
/** Limits the other results, so that the sessions below them are near. */
const MAX_ABOVE_SESSIONS = 10

/**
 * The command palette: finds tasks, actions and sessions. The text field keeps the focus; the arrow keys move
 * through the list, Enter runs an item, Escape closes it. `typed` was typed before it was there; a
 * line break at its end is Enter.
 */
export function Palette({
  startsOnly,
  typed,
  onClose,
}: {
  startsOnly: boolean
  typed: string
  onClose: () => void
}) {
  const id = useId()
  const [text, setText] = useState(typed.trimEnd())
  const [place, setPlace] = useState(0)
  const { shortcuts } = useSettings()
  const items = usePaletteItems(startsOnly)
  const line = useStartLine()(text)
  const lines = text.trim() === '' ? [] : itemsOf(line)
  const sessions = useSessionItems(startsOnly ? '' : text)
  const max = sessions.length > 0 ? MAX_ABOVE_SESSIONS : MAX_SHOWN - lines.length
  const found = [
    ...lines.filter(isCompletion),
    ...shownOf(items, text, startsOnly, max),
    ...sessions,
    ...lines.filter((item) => !isCompletion(item)),
  ]
  const at = Math.min(place, found.length - 1)
  const active = found[at]
  const title = startsOnly ? t('Start a task') : t('Search and commands')

  function choose(item: PaletteItem | undefined) {
    if (!item) return
    if (item.completed !== undefined) {
      setText(item.completed)
      setPlace(0)
      return
    }
    // Closed first, because the item's action may move the focus.
    flushSync(onClose)
    item.run()
  }

  const enter = useEffectEvent(() => choose(active))
  useEffect(() => {
    if (typed.endsWith('\n')) queueMicrotask(() => enter())
  }, [typed])

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const isToggle = (event.ctrlKey || event.metaKey) && letterOf(event.nativeEvent) === 'k'
    const next = isToggle ? null : placeAfter(event.key, at, found.length)
    if (isToggle) onClose()
    else if (event.key === 'Enter') choose(active)
    else if (next !== null) setPlace(next)
    else return
    event.preventDefault()
  }

  return (
    <Modal
      aria-label={title}
      onClose={onClose}
      className="mx-auto mb-auto mt-[max(0rem,12dvh-1rem)] max-w-140 max-md:mt-0"
    >
      <div className="flex flex-col">
        <div className="flex items-center gap-3 border-b border-line ps-4">
          <Icon of={Search} className="size-4 shrink-0 text-quiet" />
          <input
            role="combobox"
            aria-label={title}
            aria-expanded={found.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={active && `${id}-${active.id}`}
            aria-autocomplete="list"
            type="text"
            dir="auto"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            value={text}
            placeholder={
              startsOnly ? t('What are you working on?') : t('Search tasks and commands')
            }
            onChange={(event) => {
              setText(event.target.value)
              setPlace(0)
            }}
            onKeyDown={onKeyDown}
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-quiet"
          />
          <button
            type="button"
            onClick={onClose}
            className="m-1 h-11 shrink-0 rounded-control px-3 text-sm text-quiet hover:bg-wash hover:text-ink md:h-8"
          >
            {/* not translated: a key */}
            <span className="max-md:hidden">Esc</span>
            <span className="md:hidden">{t('Close')}</span>
          </button>
        </div>
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={title}
          className="max-h-[min(24rem,55dvh)] overflow-y-auto overscroll-contain p-2"
        >
          {sectionsOf(found, text).map(({ id: section, name, members }) => (
            <div
              key={section}
              role="group"
              aria-label={name}
              className="not-first:mt-2 not-first:border-t not-first:border-line not-first:pt-2"
            >
              {((text === '' && !startsOnly) || section === 'sessions') && (
                <div aria-hidden="true" className="px-2 py-1 text-xs text-quiet">
                  {name}
                </div>
              )}
              {members.map((item) => (
                <Option
                  key={item.id}
                  id={`${id}-${item.id}`}
                  active={item === active}
                  onPoint={() => setPlace(found.indexOf(item))}
                  onChoose={() => choose(item)}
                >
                  <Label item={item} />
                  {shortcuts && item.keys !== undefined && <Keys keys={item.keys} />}
                </Option>
              ))}
            </div>
          ))}
        </div>
        {found.length === 0 && (
          <p className="px-4 pb-4 text-sm text-quiet">
            {line.problem ?? (items.length === 0 ? t('No other tasks') : t('No matches'))}
          </p>
        )}
        <output className="sr-only">{text === '' ? '' : resultCount(found.length)}</output>
      </div>
    </Modal>
  )
}

/** Shows the task's name in the text colour and the action in a quieter one. */
function Label({ item: { label, task, detail } }: { item: PaletteItem }) {
  if (!task) return <span className="min-w-0 flex-1 truncate">{label}</span>
  if (detail !== undefined) {
    return (
      <>
        <Dot tintName={task.color} />
        <bdi className="max-w-1/3 shrink-0 truncate">{label}</bdi>
        <span className="min-w-0 flex-1 truncate text-quiet">{detail}</span>
      </>
    )
  }
  return <NamedOption {...task} name={label} tintName={task.color} />
}

/** Returns at most `max` items that match. */
function shownOf(
  items: readonly PaletteItem[],
  text: string,
  startsOnly: boolean,
  max: number,
): PaletteItem[] {
  if (text.trim() !== '' || startsOnly) return bestChoices(items, text).slice(0, max)
  const tasks = items.filter(({ section }) => section === 'tasks').slice(0, MAX_TASKS_UNFILTERED)
  const of = (...sections: PaletteItem['section'][]) =>
    items.filter(({ section }) => sections.includes(section))
  const filters = of('filters').slice(0, MAX_FILTERS_UNFILTERED)
  return [...of('timer'), ...tasks, ...filters, ...of('actions', 'pages')]
}

function isCompletion({ completed }: PaletteItem): boolean {
  return completed !== undefined
}

/** Returns the choices of the line, except starts of tasks, which are items already. */
function itemsOf({ choices }: ReadLine): PaletteItem[] {
  return choices
    .filter(({ isPlainStart }) => !isPlainStart)
    .map(({ before, name, after, details, color, completed, run }, index) => ({
      id: `line-${index}`,
      section: 'line',
      label: name,
      task: { before, after, details, color },
      completed,
      run: () => void run(),
    }))
}

const HEADINGS: Readonly<Record<PaletteItem['section'], string>> = {
  timer: t('Timer'),
  tasks: t('Tasks'),
  filters: t('Saved filters'),
  actions: t('Actions'),
  pages: t('Go to'),
  more: t('More'),
  sessions: t('Sessions'),
  line: t('What are you working on?'),
}

/**
 * Groups the items into sections. Search results are one section, best match first. The sessions that
 * were found and what the text would start are others.
 */
function sectionsOf(found: readonly PaletteItem[], text: string) {
  const isSearch = text.trim() !== ''
  return [
    ...Map.groupBy(found, ({ section }) =>
      isSearch && section !== 'sessions' && section !== 'line' ? 'results' : section,
    ),
  ].map(([section, members]) => ({
    id: section,
    name: section === 'results' ? t('Results') : HEADINGS[section],
    members,
  }))
}

function resultCount(count: number): string {
  return count === MAX_SHOWN
    ? t('Top {count} results', { count })
    : t('{count, plural, =0 {No results} one {# result} other {# results}}', { count })
}
