import { Pencil } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { classNames } from '#ui/class-names.ts'
import { ICON_BUTTON } from '#ui/icon-button.tsx'
import { openEditor } from '#hooks/requests.ts'

/**
 * Opens the editor for a saved session. `what` tells the sessions apart. The name is an aria-label
 * instead of text, so that it is not part of the row's text.
 */
export function EditSession({
  entryId,
  what,
  className,
}: {
  entryId: string
  what: string
  className?: string
}) {
  return (
    <button
      type="button"
      title={t('Edit')}
      aria-label={t('Edit {session}', { session: what })}
      onClick={() => openEditor({ kind: 'edit', entryId })}
      className={classNames(ICON_BUTTON, className)}
    >
      <Icon of={Pencil} className="size-5 md:size-4" />
    </button>
  )
}
