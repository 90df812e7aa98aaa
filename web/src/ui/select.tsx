import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Icon } from './icon.tsx'
import { classNames } from './class-names.ts'
import { CONTROL_CLASSES } from './field.tsx'

/** A native select in Stint's style. The caller provides its label. */
export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <span className={classNames('relative inline-flex', className)}>
      <select
        {...props}
        className={classNames(CONTROL_CLASSES, 'w-full appearance-none truncate pe-9 md:text-sm')}
      >
        {children}
      </select>
      <Icon
        of={ChevronDown}
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-quiet"
      />
    </span>
  )
}
