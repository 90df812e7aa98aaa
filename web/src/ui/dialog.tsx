import { X } from 'lucide-react'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { Modal } from './modal.tsx'

/** A modal dialog with a title, its contents and its buttons. On phones it is a sheet at the bottom. */
export function Dialog({
  open,
  title,
  onClose,
  children,
  actions,
  stacked = false,
  wide = false,
}: {
  open: boolean
  title: string
  onClose: () => void
  children: ReactNode
  /** Buttons, the primary one first. `stacked` puts them under each other, for long labels. */
  actions?: ReactNode
  stacked?: boolean
  /** True: has room for lists. */
  wide?: boolean
}) {
  const titleId = useId()
  if (!open) return null
  return (
    <Modal
      aria-labelledby={titleId}
      onClose={onClose}
      className={classNames(SHEET, 'm-auto', wide ? 'md:max-w-2xl' : 'md:max-w-md')}
    >
      <div className="flex flex-col gap-4 p-5 max-md:pb-[calc(env(safe-area-inset-bottom)+1.25rem)]">
        <header className="flex items-start justify-between gap-4">
          <h2 id={titleId} tabIndex={-1} className="text-base font-semibold">
            {title}
          </h2>
          <IconButton icon={X} label={t('Close')} onClick={onClose} className="-m-2 md:-m-1" />
        </header>
        <div className="flex flex-col gap-3 text-quiet">{children}</div>
        {actions && (
          <footer
            className={classNames(
              'flex flex-col gap-2 pt-1',
              !stacked && 'md:flex-row-reverse md:flex-wrap md:justify-start',
            )}
          >
            {actions}
          </footer>
        )}
      </div>
    </Modal>
  )
}

/** As wide as the window, over the padding around a dialog. */
const SHEET =
  'max-md:-mx-4! max-md:-mb-4! max-md:w-[calc(100%+2rem)]! max-md:shrink-0 max-md:rounded-b-none max-md:border-x-0 max-md:border-b-0'
