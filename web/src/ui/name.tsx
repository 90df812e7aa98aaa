import { classNames } from './class-names.ts'

/**
 * A name that a person typed: truncated to one line in its own text direction, complete in its title.
 */
export function Name({ text, className }: { text: string; className?: string }) {
  return (
    <span dir="auto" title={text} className={classNames('name block min-w-0', className)}>
      {text}
    </span>
  )
}
