import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/**
 * A name that a person typed: truncated to one line in its own text direction, complete in its title.
 * `children` show the text with its parts marked.
 */
export function Name({
  text,
  className,
  children = text,
}: {
  text: string
  className?: string
  children?: ReactNode
}) {
  return (
    <span dir="auto" title={text} className={classNames('name block min-w-0', className)}>
      {children}
    </span>
  )
}
