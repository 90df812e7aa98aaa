import type { ComponentProps } from 'react'

/** A switch that takes effect at once. The caller provides its label. */
export function Switch(props: Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'>) {
  return (
    <span className="relative inline-flex h-6 w-10 shrink-0">
      <input
        {...props}
        type="checkbox"
        role="switch"
        aria-checked={props.checked}
        className="peer absolute -inset-2.5 cursor-pointer appearance-none rounded-full outline-none disabled:cursor-not-allowed"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none h-full w-full rounded-full border border-edge bg-wash transition-colors duration-80 peer-checked:border-accent peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-1 start-1 size-4 rounded-full bg-edge transition-[translate] duration-120 ease-out peer-checked:translate-x-4 peer-checked:bg-on-accent"
      />
    </span>
  )
}
