import { Combobox } from '@base-ui/react/combobox'
import { useState } from 'react'
import type { ComponentProps } from 'react'

/**
 * The list below a field that offers choices. It is made without the library's popup, which hides the
 * page from assistive technology while the list is open.
 */
export function ChoiceList({
  isOpen,
  label,
  children,
}: {
  isOpen: boolean
  label: string
  /** Renders a choice. */
  children: ComponentProps<typeof Combobox.List>['children']
}) {
  const [here, setHere] = useState<Element | null>(null)
  return (
    <>
      <span ref={setHere} hidden />
      {/* In the landmark of its field. */}
      {isOpen && (
        <Combobox.Portal container={here?.closest<HTMLElement>('[role=dialog], main')}>
          <Combobox.Positioner
            positionMethod="fixed"
            sideOffset={6}
            collisionPadding={8}
            className="z-50"
          >
            <Combobox.List
              aria-label={label}
              className="max-h-[min(18rem,var(--available-height))] w-(--anchor-width) animate-appear overflow-y-auto overscroll-contain rounded-panel border border-line bg-raised p-1 text-ink shadow-float outline-none empty:hidden"
            >
              {children}
            </Combobox.List>
          </Combobox.Positioner>
        </Combobox.Portal>
      )}
    </>
  )
}

/** The style of a choice. */
export const CHOICE_CLASSES =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2 py-1 text-sm data-highlighted:bg-wash md:min-h-9'
