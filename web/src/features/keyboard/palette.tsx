/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the platform's lists cannot be moved through while a field has the focus */
import { bestChoices } from '@stint/core/palette.ts'
import { t } from '@stint/core/text.ts'
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'

import { useSettings } from '#features/settings/api.ts'
import { Icon } from '#ui/icon.tsx'
import { classNames } from '#ui/class-names.ts'
import { letterOf } from '#ui/key-letter.ts'
import { Modal } from '#ui/modal.tsx'
import { Dot } from '#ui/row.tsx'

import { Keys } from './key-caps.tsx'
import { usePaletteItems } from './palette-items.ts'
import type { PaletteItem } from './palette-items.ts'

/** More are never read. Another typed letter narrows the list. */
const MAX_SHOWN = 50
/** Limits the tasks while nothing is typed, so that the actions below them stay visible. */
const MAX_TASKS_UNFILTERED = 6

/**
 * The command palette: finds tasks and actions. The text field keeps the focus; the arrow keys move
 * through the list, Enter runs an item, Escape closes it.
 */
export function Palette({ startsOnly, onClose }: { startsOnly: boolean; onClose: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const { shortcuts } = useSettings()
  const items = usePaletteItems(startsOnly)
  const found = shownOf(items, text, startsOnly)
  const at = Math.min(place, found.length - 1)
  const active = found[at]
  const title = startsOnly ? t('Start a task') : t('Search and commands')

  function choose(item: PaletteItem | undefined) {
    if (!item) return
    // Closed first, because the item's action may move the focus.
    flushSync(onClose)
    item.run()
  }

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
      className="mx-auto mt-[max(1rem,12dvh)] max-w-140 max-md:mt-4"
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
            placeholder={startsOnly ? t('Choose a task to start') : t('Search tasks and commands')}
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
              {text === '' && !startsOnly && (
                <div aria-hidden="true" className="px-2 py-1 text-xs text-quiet">
                  {name}
                </div>
              )}
              {members.map((item) => (
                <Option
                  key={item.id}
                  id={`${id}-${item.id}`}
                  item={item}
                  keys={shortcuts ? item.keys : undefined}
                  active={item === active}
                  onPoint={() => setPlace(found.indexOf(item))}
                  onChoose={() => choose(item)}
                />
              ))}
            </div>
          ))}
        </div>
        {found.length === 0 && (
          <p className="px-4 pb-4 text-sm text-quiet">
            {items.length === 0 ? t('No other tasks') : t('No matches')}
          </p>
        )}
        <output className="sr-only">{text === '' ? '' : resultCount(found.length)}</output>
      </div>
    </Modal>
  )
}

function Option({
  id,
  item,
  keys,
  active,
  onPoint,
  onChoose,
}: {
  id: string
  item: PaletteItem
  /** Undefined while single-key shortcuts are off. */
  keys: string | undefined
  active: boolean
  onPoint: () => void
  onChoose: () => void
}) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active && element.current) showInList(element.current)
  }, [active])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field above has the focus and the keys; this is for pointers and fingers
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={active}
      onPointerMove={active ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classNames(
        'flex h-11 cursor-pointer items-center gap-3 rounded-control px-2 text-sm md:h-9',
        active && 'bg-wash',
      )}
    >
      <Label item={item} />
      {keys !== undefined && <Keys keys={keys} />}
    </div>
  )
}

/** Scrolls only the list; `scrollIntoView` would also scroll the page behind the dialog. */
function showInList(option: HTMLElement): void {
  const list = option.closest('[role="listbox"]')
  if (!list) return
  const { top, bottom } = option.getBoundingClientRect()
  const edge = list.getBoundingClientRect()
  if (top < edge.top + LIST_PADDING) list.scrollTop -= edge.top + LIST_PADDING - top
  if (bottom > edge.bottom - LIST_PADDING) list.scrollTop += bottom - edge.bottom + LIST_PADDING
}

const LIST_PADDING = 8

/** Shows the task's name in the text colour and the action in a quieter one. */
function Label({ item: { label, task } }: { item: PaletteItem }) {
  if (!task) return <span className="min-w-0 flex-1 truncate">{label}</span>
  return (
    <>
      <Dot tintName={task.color} />
      <span className="name min-w-0 flex-1">
        {task.before && <span className="text-quiet">{task.before}</span>}
        <bdi>{label}</bdi>
        {task.after && <span className="text-quiet">{task.after}</span>}
      </span>
    </>
  )
}

function shownOf(items: readonly PaletteItem[], text: string, startsOnly: boolean): PaletteItem[] {
  if (text.trim() !== '' || startsOnly) return bestChoices(items, text).slice(0, MAX_SHOWN)
  const tasks = items.filter(({ section }) => section === 'tasks').slice(0, MAX_TASKS_UNFILTERED)
  const others = items.filter(({ section }) => section !== 'tasks' && section !== 'more')
  const timer = others.filter(({ section }) => section === 'timer')
  return [...timer, ...tasks, ...others.filter(({ section }) => section !== 'timer')]
}

const HEADINGS: Readonly<Record<PaletteItem['section'], string>> = {
  timer: t('Timer'),
  tasks: t('Tasks'),
  actions: t('Actions'),
  pages: t('Go to'),
  more: t('More'),
}

/** Groups the unfiltered items into sections. Search results are one section, best match first. */
function sectionsOf(found: readonly PaletteItem[], text: string) {
  if (found.length === 0) return []
  if (text.trim() !== '') return [{ id: 'results', name: t('Results'), members: found }]
  return [...Map.groupBy(found, ({ section }) => section)].map(([section, members]) => ({
    id: section,
    name: HEADINGS[section],
    members,
  }))
}

/** Returns the place that a key moves to, wrapping around; null for other keys. */
function placeAfter(key: string, place: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (place + 1) % count
    case 'ArrowUp':
      return (place - 1 + count) % count
    case 'PageDown':
      return Math.min(place + 8, count - 1)
    case 'PageUp':
      return Math.max(place - 8, 0)
    default:
      return null
  }
}

function resultCount(count: number): string {
  return count === MAX_SHOWN
    ? t('Top {count} results', { count })
    : t('{count, plural, =0 {No results} one {# result} other {# results}}', { count })
}
