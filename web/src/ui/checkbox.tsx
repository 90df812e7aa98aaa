import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'

/** The platform's checkbox, large enough for a thumb, with its label to the right. */
export function Checkbox({
  label,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center gap-2.5 md:min-h-8">
      <input {...props} id={id} type="checkbox" className="size-[1.125rem] shrink-0" />
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </div>
  )
}
