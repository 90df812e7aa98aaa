import { Search, X } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { t } from '@stint/core/text.ts'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES } from './field.tsx'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

/**
 * A search box. '/' focuses it if `hasShortcut`, which its page handles. Escape clears it. `children` suggest words
 * for the field, once it has had the focus.
 */
export function SearchBox({
  input,
  label,
  placeholder,
  hasShortcut,
  describedBy,
  value,
  onChange,
  children,
}: {
  input: RefObject<HTMLInputElement | null>
  /** The accessible label. */
  label: string
  placeholder: string
  hasShortcut: boolean
  describedBy?: string
  value: string
  onChange: (text: string) => void
  children?: (field: HTMLInputElement) => ReactNode
}): ReactNode {
  const [field, setField] = useState<HTMLInputElement | null>(null)
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
        placeholder={placeholder}
        aria-label={label}
        aria-describedby={describedBy}
        aria-keyshortcuts={hasShortcut ? '/' : undefined}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        onFocus={({ currentTarget }) => setField(currentTarget)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault()
            onChange('')
          }
        }}
        className={classNames(CONTROL_CLASSES, 'peer w-full text-ellipsis pe-12 ps-9 md:pe-10')}
      />
      {value === '' ? (
        hasShortcut && (
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
      {field && children?.(field)}
    </div>
  )
}
