import { t } from '@stint/core/text.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'

import { Keys, PALETTE_KEYS, UNDO_KEYS } from './key-caps.tsx'
import { SHORTCUT_KEYS } from '#hooks/shortcut-keys.ts'
import type { KeyedShortcut } from '#hooks/shortcut-keys.ts'

/** Lists all shortcuts, with a checkbox that turns single keys on or off. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { shortcuts } = useSettings()
  const change = useChangeSettings()
  return (
    <Dialog open={open} title={t('Keyboard shortcuts')} onClose={onClose}>
      {Object.entries(GROUPS).map(([group, name]) => (
        <section key={group} aria-label={name}>
          <h3 className="mb-1 text-xs">{name}</h3>
          <dl className="divide-y divide-line border-y border-line">
            {Object.entries(ROWS).map(
              ([shortcut, [groupOfRow, does]]) =>
                groupOfRow === group && (
                  <div key={shortcut} className="flex h-9 items-center justify-between gap-4">
                    <dt className="text-ink">{does}</dt>
                    <dd>
                      <Keys keys={KEYS[shortcut] ?? ''} />
                    </dd>
                  </div>
                ),
            )}
          </dl>
        </section>
      ))}
      <Checkbox
        label={t('Use single keys as shortcuts. {keys} always works.', {
          keys: PALETTE_KEYS.replace(' ', '-'),
        })}
        checked={shortcuts}
        onChange={(event) => change({ shortcuts: event.target.checked })}
      />
    </Dialog>
  )
}

/** Keys that are no shortcut of `shortcut-keys.ts`: other files listen for them. */
const OTHER_KEYS = {
  palette: PALETTE_KEYS,
  undo: UNDO_KEYS,
  previous: '←',
  next: '→',
  today: 'T',
} as const

const KEYS: Readonly<Record<string, string>> = { ...SHORTCUT_KEYS, ...OTHER_KEYS }

const GROUPS = {
  timer: t('Timer'),
  find: t('Find and add'),
  reports: t('Reports and task analytics'),
  pages: t('Go to (press keys in sequence)'),
} as const

type Row = readonly [group: keyof typeof GROUPS, does: string]

/** The rows in their order. A shortcut with keys but without a row does not compile. */
const ROWS: Readonly<Record<KeyedShortcut | keyof typeof OTHER_KEYS, Row>> = {
  start: ['timer', t('Start a task')],
  stop: ['timer', t('Stop')],
  pause: ['timer', t('Pause or resume')],
  continue: ['timer', t('Continue last task')],
  palette: ['find', t('Search and commands')],
  search: ['find', t('Search tasks')],
  add: ['find', t('Add task')],
  undo: ['find', t('Undo')],
  sheet: ['find', t('Show this list')],
  previous: ['reports', t('Previous period')],
  next: ['reports', t('Next period')],
  today: ['reports', t('Current period and today')],
  dashboard: ['pages', t('Dashboard')],
  tasks: ['pages', t('Tasks')],
  reports: ['pages', t('Reports')],
  sessions: ['pages', t('Sessions')],
  settings: ['pages', t('Settings')],
}
