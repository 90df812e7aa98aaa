import { itemText } from '@stint/core/balance/item-text.ts'
import { preferenceOf } from '@stint/core/balance/items.ts'
import type { Item } from '@stint/core/balance/items.ts'
import { t } from '@stint/core/text.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'

import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Panel } from '#ui/row.tsx'
import { LineForm } from './line-form.tsx'
import { ShowAll } from './show-all.tsx'
import { useBalanceCommands } from './use-balance.ts'

/** How many lines are shown at first. */
const PAGE_SIZE = 8

/** The lines of a kind, the latest first, each with a way to change and to remove it. */
export function ItemsSection({
  title,
  about,
  items,
  action,
  above,
}: {
  title: string
  about?: ReactNode
  items: readonly Item[]
  action?: ReactNode
  /** What stands above the lines. */
  above?: ReactNode
}) {
  const titleId = useId()
  const [listed, setListed] = useState(PAGE_SIZE)
  const [edited, setEdited] = useState<Item | null>(null)
  const { remove } = useBalanceCommands()
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-2">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={titleId} className="text-base font-semibold">
          {title}
        </h2>
        {action}
      </header>
      {about}
      {above}
      {items.length > 0 && (
        <Panel>
          <ul aria-labelledby={titleId} className="divide-y divide-line">
            {items
              .toReversed()
              .slice(0, listed)
              .map((item) => (
                <li key={preferenceOf(item)} className="flex min-h-11 items-center gap-1 ps-4 pe-1">
                  <span dir="auto" className="figures min-w-0 flex-1 py-2 text-sm wrap-anywhere">
                    {itemText(item)}
                  </span>
                  <IconButton
                    icon={Pencil}
                    label={t('Edit {line}', { line: itemText(item) })}
                    aria-haspopup="dialog"
                    onClick={() => setEdited(item)}
                  />
                  <IconButton
                    icon={Trash2}
                    label={t('Remove {line}', { line: itemText(item) })}
                    onClick={() => void remove(item)}
                  />
                </li>
              ))}
          </ul>
        </Panel>
      )}
      <ShowAll count={items.length} listed={listed} onShow={setListed} />
      {edited && (
        <Dialog open title={t('Edit line')} onClose={() => setEdited(null)}>
          <LineForm
            takesFocus
            label={t('Line')}
            placeholder=""
            instead={edited}
            onSaved={() => setEdited(null)}
          >
            <FormActions>
              <Button type="submit" variant="primary">
                {t('Save')}
              </Button>
              <Button onClick={() => setEdited(null)}>{t('Cancel')}</Button>
            </FormActions>
          </LineForm>
        </Dialog>
      )}
    </section>
  )
}
