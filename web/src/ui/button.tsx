import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'small' | 'medium' | 'large'

/** A button. Its type is "button" unless `type` overrides it. */
export function Button({
  variant = 'secondary',
  size = 'medium',
  busy = false,
  className,
  children,
  ...props
}: ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Work is in progress: shows a spinner and disables the button. */
  busy?: boolean
}) {
  return (
    <button
      type="button"
      {...props}
      disabled={busy || props.disabled}
      className={classNames(buttonClasses(variant, size), className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** Returns the classes of a button, for a link that looks like one. */
export function buttonClasses(
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'medium',
): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center rounded-control border font-semibold',
    'whitespace-nowrap select-none transition-colors duration-80',
    'disabled:cursor-not-allowed',
    SIZES[size],
    VARIANTS[variant],
  )
}

const SIZES: Record<ButtonSize, string> = {
  small: 'h-11 min-w-11 gap-1.5 px-2.5 text-sm md:h-8 md:min-w-8',
  medium: 'h-11 min-w-11 gap-2 px-4 text-sm md:h-9 md:px-3.5',
  large: 'h-12 min-w-12 gap-2 px-4 text-base',
}

/** A disabled button keeps its text legible, as 'Running' on it is information. */
const VARIANTS: Record<ButtonVariant, string> = {
  primary: classNames(
    'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
    'disabled:border-line disabled:bg-wash disabled:text-quiet',
  ),
  secondary: classNames(
    'border-line bg-surface text-ink hover:border-edge hover:bg-wash',
    'disabled:border-line disabled:bg-transparent disabled:font-normal disabled:text-quiet',
  ),
  quiet: classNames(
    'border-transparent text-quiet hover:bg-wash hover:text-ink',
    'disabled:text-quiet disabled:hover:bg-transparent',
  ),
  danger: classNames(
    'border-transparent bg-danger text-on-danger hover:bg-danger-strong',
    'disabled:border-line disabled:bg-wash disabled:text-quiet',
  ),
}
