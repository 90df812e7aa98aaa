import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { classNames } from '#ui/class-names.ts'
import { CONTROL_CLASSES } from '#ui/field.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { useRequestHandler } from '#ui/request.ts'
import { useSettings } from '#features/settings/api.ts'
import { tasksPageRequest } from './api.ts'

/** The search box. '/' focuses it, Escape clears it. */
export function TaskSearch({
  value,
  onChange,
}: {
  value: string
  onChange: (text: string) => void
}) {
  const input = useRef<HTMLInputElement>(null)

  const { shortcuts } = useSettings()
  useRequestHandler(tasksPageRequest, 'search', () => input.current?.select())

  return (
    <div className="relative">
      <Icon
        of={Search}
        className="pointer-events-none absolute top-1/2 start-3 size-4 -translate-y-1/2 text-quiet"
      />
      <input
        ref={input}
        type="search"
        dir="auto"
        value={value}
        placeholder={t('Search tasks...')}
        aria-label={t('Search tasks')}
        aria-keyshortcuts={shortcuts ? '/' : undefined}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault()
            onChange('')
          }
        }}
        className={classNames(CONTROL_CLASSES, 'peer w-full pe-12 ps-9 md:pe-10')}
      />
      {value === '' ? (
        shortcuts && (
          <kbd
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 end-3 -translate-y-1/2 rounded-[4px] border border-line px-1.5 text-xs text-quiet peer-focus:hidden max-md:hidden"
          >
            /
          </kbd>
        )
      ) : (
        <IconButton
          icon={X}
          label={t('Clear search')}
          onClick={() => {
            onChange('')
            input.current?.focus()
          }}
          className="absolute top-0 end-0 md:top-1 md:end-1"
        />
      )}
    </div>
  )
}
