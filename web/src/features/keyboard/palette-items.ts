/** The items of the palette: tasks, timer actions and pages. */
import type { Choice } from '@stint/core/fuzzy-search.ts'
import { categorySign } from '@stint/core/record/category.ts'
import { byLastWorked } from '@stint/core/record/recent.ts'
import { isCategorised } from '@stint/core/record/task.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import type { SavedFilter } from '@stint/core/record/saved-filters.ts'
import { t } from '@stint/core/text.ts'
import type { Timer } from '@stint/core/timer/timer.ts'

import { useNavigate } from '#ui/navigation.tsx'
import { OWN_NAVIGATION } from '#hooks/own-navigation.ts'
import { openEditor } from '#hooks/requests.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { canFloat } from '#ui/can-float.ts'
import { openTaskEditor } from '#hooks/requests.ts'
import { useSavedFilters } from '#hooks/use-saved-filters.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { wordsAround } from '#ui/words-around.ts'
import type { WordsAround } from '#ui/words-around.ts'

import { runShortcut } from '#hooks/requests.ts'
import { useCommands } from './commands.ts'
import { SHORTCUT_KEYS } from '#hooks/shortcut-keys.ts'
import type { PageShortcut } from '#hooks/shortcut-keys.ts'

type Commands = ReturnType<typeof useCommands>
type Navigate = ReturnType<typeof useNavigate>

export interface PaletteItem extends Choice {
  readonly id: string
  /** The section. Items of 'more' are shown only in search results; those of 'line' start or add what is typed. */
  readonly section:
    | 'timer'
    | 'tasks'
    | 'filters'
    | 'actions'
    | 'pages'
    | 'more'
    | 'sessions'
    | 'line'
  /** For a task: the words around its name, its colour, and details for a line below. */
  readonly task?: WordsAround & {
    readonly color: TaskColor | undefined
    readonly details?: string
  }
  /** For a session: its times and its note. */
  readonly detail?: string
  /** The shortcut of the item. */
  readonly keys?: string
  /** The text that it completes, in the place of the typed one. */
  readonly completed?: string | undefined
  readonly run: () => void
}

/**
 * Returns all items of the palette, most recent tasks first. With `startsOnly`, only the tasks that can
 * be started.
 */
export function usePaletteItems(startsOnly: boolean): PaletteItem[] {
  const { timer } = useTimer()
  const { start } = useTimerCommands()
  const { tasks, colors } = useTasks()
  const { entries } = useEntries()
  const { filters } = useSavedFilters()
  const commands = useCommands()
  const navigate = useNavigate()

  const recent = byLastWorked(tasks, entries)
  const startWords = wordsAround((task) =>
    timer.status === 'idle' ? t('Start {task}', { task }) : t('Switch to {task}', { task }),
  )
  const starts = recent
    .filter(({ id }) => timer.status === 'idle' || timer.taskId !== id)
    .map((each): PaletteItem => {
      const { id, name } = each
      const task = { ...startWords, color: colors.get(id) }
      // By its category too, with the sign and without.
      const category = isCategorised(each) ? ` ${categorySign(each.category)} ${each.category}` : ''
      const keywords = `${task.before}${name}${task.after}${category}`
      const run = () => void start(id)
      return { id: `start-${id}`, section: 'tasks', label: name, keywords, task, run }
    })
  if (startsOnly) return starts

  const editWords = wordsAround((task) => t('Edit {task}', { task }))
  const edits = recent.map(({ id, name }): PaletteItem => {
    const task = { ...editWords, color: colors.get(id) }
    const keywords = `${task.before}${name}${task.after} rename archive goal colour merge`
    const run = () => openTaskEditor(id)
    return { id: `edit-${id}`, section: 'more', label: name, keywords, task, run }
  })
  const analyticsWords = wordsAround((task) => t('{task} analytics', { task }))
  const analytics = recent.map(({ id, name }): PaletteItem => {
    const task = { ...analyticsWords, color: colors.get(id) }
    const keywords = `${task.before}${name}${task.after} open`
    const run = () => navigate(`/tasks/${id}`)
    return { id: `analytics-${id}`, section: 'more', label: name, keywords, task, run }
  })
  return [
    ...timerItems(timer.status, commands),
    ...starts,
    ...filterItems(filters, navigate),
    ...actionItems(timer.status === 'idle' && entries.length > 0, commands, navigate),
    ...pageItems(commands, navigate),
    ...analytics,
    ...edits,
  ]
}

/** What can be done with the active timer. */
function timerItems(status: Timer['status'], commands: Commands): PaletteItem[] {
  const section = 'timer'
  const stop = {
    id: 'stop',
    section,
    label: t('Stop'),
    keys: SHORTCUT_KEYS.stop,
    run: commands.stop,
  } as const
  const edit: PaletteItem = {
    id: 'edit-timer',
    section,
    label: t('Edit timer'),
    keywords: 'change start began since',
    run: () => openEditor({ kind: 'timer' }),
  }
  const change = { id: 'pause', section, keys: SHORTCUT_KEYS.pause, run: commands.pause } as const
  const float: PaletteItem[] = canFloat()
    ? [
        {
          id: 'float',
          section,
          label: t('Open floating timer'),
          keywords: 'picture in picture window above',
          run: commands.float,
        },
      ]
    : []
  switch (status) {
    case 'idle':
      return []
    case 'running':
      return [{ ...change, label: t('Pause'), keywords: 'break' }, stop, edit, ...float]
    case 'paused':
      return [{ ...change, label: t('Resume'), keywords: 'continue' }, stop, edit, ...float]
  }
}

/** The saved filters, each of which opens its sessions. */
function filterItems(filters: readonly SavedFilter[], navigate: Navigate): PaletteItem[] {
  return filters.map(({ name, text }) => ({
    id: `filter-${name}`,
    section: 'filters',
    label: name,
    keywords: `${t('Filter')} ${text}`,
    run: () => navigate(`/sessions?${new URLSearchParams({ filter: name }).toString()}`),
  }))
}

function actionItems(canContinue: boolean, commands: Commands, navigate: Navigate): PaletteItem[] {
  const section = 'actions'
  const continueItems: PaletteItem[] = canContinue
    ? [
        {
          id: 'continue',
          section,
          label: t('Continue last task'),
          keywords: 'resume start again',
          keys: SHORTCUT_KEYS.continue,
          run: commands.continue,
        },
      ]
    : []
  return [
    ...continueItems,
    {
      id: 'add',
      section,
      label: t('Add task'),
      keywords: 'new create',
      keys: SHORTCUT_KEYS.add,
      run: commands.add,
    },
    {
      id: 'add-time',
      section,
      label: t('Add time'),
      keywords: 'new manual session entry',
      run: () => openEditor({ kind: 'add' }),
    },
    {
      id: 'search',
      section,
      label: t('Search tasks'),
      keywords: 'find filter',
      keys: SHORTCUT_KEYS.search,
      run: commands.search,
    },
    {
      id: 'sheet',
      section,
      label: t('Keyboard shortcuts'),
      keywords: 'keys help',
      keys: SHORTCUT_KEYS.sheet,
      run: () => runShortcut('sheet'),
    },
    {
      id: 'sign-out',
      section,
      label: t('Sign out'),
      keywords: 'log out logout leave',
      // /signout asks for confirmation while a timer runs or changes are unsaved.
      run: () => navigate('/signout', { state: OWN_NAVIGATION }),
    },
  ]
}

/** The pages without a shortcut, and words by which they are found too. */
const OTHER_PAGES = [
  ['/timesheet?view=monthly', t('Timesheet'), 'print pdf csv round client invoice'],
  ['/balance', t('Balance'), 'overtime hours account contract vacation days off flexitime'],
  ['/targets', t('Targets'), 'goals limits at least at most pace budget'],
  ['/year', t('Year on a page'), 'poster calendar picture month svg print'],
  [
    '/rebuild',
    t('Rebuild'),
    'forgot suggestions calendar ics git activitywatch terminal untracked gaps',
  ],
  ['/data', t('Your data'), 'export import csv json ics backup print'],
] as const

function pageItems(commands: Commands, navigate: Navigate): PaletteItem[] {
  const section = 'pages'
  const page = (id: PageShortcut, label: string, words = ''): PaletteItem => {
    const keys = SHORTCUT_KEYS[id]
    return { id, section, label, keywords: pageKeywords(words), keys, run: commands[id] }
  }
  const pages: Readonly<Record<PageShortcut, PaletteItem>> = {
    dashboard: page('dashboard', t('Dashboard')),
    tasks: page('tasks', t('Tasks')),
    reports: page('reports', t('Reports'), 'analytics statistics'),
    sessions: page('sessions', t('Sessions'), 'entries history list filter'),
    settings: page('settings', t('Settings'), 'preferences account theme'),
  }
  const others = OTHER_PAGES.map(([path, label, words]): PaletteItem => {
    const run = () => navigate(path)
    return { id: path, section, label, keywords: pageKeywords(words), run }
  })
  return [...Object.values(pages), ...others]
}

function pageKeywords(words: string): string {
  return `${t('Go to')} ${words}`
}
