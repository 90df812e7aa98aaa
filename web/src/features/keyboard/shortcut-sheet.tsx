import { t } from '@stint/core/text.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { useChangeSettings, useSettings } from '#features/settings/api.ts'

import { Keys, PALETTE_KEYS, UNDO_KEYS } from './key-caps.tsx'

/** Lists all shortcuts, with a checkbox that turns single keys on or off. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { shortcuts } = useSettings()
  const change = useChangeSettings()
  return (
    <Dialog open={open} title={t('Keyboard shortcuts')} onClose={onClose}>
      {GROUPS.map(({ name, shortcuts }) => (
        <section key={name} aria-label={name}>
          <h3 className="mb-1 text-xs">{name}</h3>
          <dl className="divide-y divide-line border-y border-line">
            {shortcuts.map(([does, keys]) => (
              <div key={does} className="flex h-9 items-center justify-between gap-4">
                <dt className="text-ink">{does}</dt>
                <dd>
                  <Keys keys={keys} />
                </dd>
              </div>
            ))}
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

const GROUPS: readonly {
  name: string
  shortcuts: readonly (readonly [does: string, keys: string])[]
}[] = [
  {
    name: t('Timer'),
    shortcuts: [
      [t('Start a task'), 'N'],
      [t('Stop'), 'S'],
      [t('Pause or resume'), 'P'],
      [t('Continue last task'), 'C'],
    ],
  },
  {
    name: t('Find and add'),
    shortcuts: [
      [t('Search and commands'), PALETTE_KEYS],
      [t('Search tasks'), '/'],
      [t('Add task'), 'A'],
      [t('Undo'), UNDO_KEYS],
      [t('Show this list'), '?'],
    ],
  },
  {
    name: t('Reports and task analytics'),
    shortcuts: [
      [t('Previous period'), '←'],
      [t('Next period'), '→'],
      [t('Current period and today'), 'T'],
    ],
  },
  {
    name: t('Go to (press keys in sequence)'),
    shortcuts: [
      [t('Dashboard'), 'G D'],
      [t('Tasks'), 'G T'],
      [t('Reports'), 'G R'],
      [t('Sessions'), 'G S'],
      [t('Settings'), 'G ,'],
    ],
  },
]
