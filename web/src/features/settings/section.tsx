import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'

import { classNames } from '#ui/class-names.ts'

/** The id of the section that is shown alone where there is no room for the list beside it; null for the list alone. */
export const OpenSection = createContext<string | null>(null)

/** A section of the settings: a heading and rows. */
export function Section({
  id,
  title,
  children,
}: {
  id: string
  title: string
  children: ReactNode
}) {
  const isOpen = useContext(OpenSection) === id
  return (
    <section
      aria-labelledby={id}
      className={classNames('flex flex-col gap-2', !isOpen && 'max-lg:hidden')}
    >
      <h2
        id={id}
        tabIndex={-1}
        className="scroll-mt-2 text-lg font-semibold max-lg:scroll-mt-16 lg:text-base"
      >
        {title}
      </h2>
      <div className="divide-y divide-line border-y border-line">{children}</div>
    </section>
  )
}
