import { Check } from 'lucide-react'
import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'

type Input = Omit<ComponentProps<'input'>, 'type'>

/** A native checkbox in Stint's style with its label on the right. */
export function Checkbox({ label, ...props }: Input & { label: ReactNode }) {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center gap-2.5 md:min-h-8">
      <CheckboxInput {...props} id={id} />
      <label htmlFor={id} className="py-3 text-sm md:py-1.5">
        {label}
      </label>
    </div>
  )
}

/** The checkbox alone. The caller provides its label. */
export function CheckboxInput(props: Input) {
  return (
    <span className="relative inline-flex">
      <input
        {...props}
        type="checkbox"
        className="peer size-[1.125rem] shrink-0 appearance-none rounded-[4px] border border-edge bg-surface transition-colors duration-80 checked:border-accent checked:bg-accent hover:border-quiet"
      />
      <Check
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-on-accent peer-checked:block"
      />
    </span>
  )
}
