import type { LucideIcon } from 'lucide-react'

/**
 * A decorative icon beside a text, hidden from assistive technology. 16 px unless `className` sizes it.
 */
export function Icon({
  of: Shape,
  filled = false,
  className = 'size-4',
}: {
  of: LucideIcon
  filled?: boolean
  className?: string
}) {
  return (
    <Shape
      aria-hidden="true"
      className={className}
      {...(filled ? { fill: 'currentColor', strokeWidth: 0 } : { strokeWidth: 1.75 })}
    />
  )
}
