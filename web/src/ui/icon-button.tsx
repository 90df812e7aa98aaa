import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/**
 * A button with an icon. Its accessible name is text instead of `aria-label`, so that a lookup of a
 * field by its label ('Password') does not match the button beside it ('Show password').
 */
export function IconButton({
  icon,
  label,
  className,
  ...props
}: Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string }) {
  return (
    <button type="button" title={label} {...props} className={classNames(ICON_BUTTON, className)}>
      <Icon of={icon} className="size-5 md:size-4" />
      <span className="sr-only">{label}</span>
    </button>
  )
}

/** The style of an icon button. */
export const ICON_BUTTON =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-control text-quiet transition-colors duration-80 hover:bg-wash hover:text-ink disabled:cursor-not-allowed md:size-8'
