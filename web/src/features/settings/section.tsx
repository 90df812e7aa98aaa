import type { ReactNode } from 'react'

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
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} tabIndex={-1} className="scroll-mt-2 text-base font-semibold">
        {title}
      </h2>
      <div className="divide-y divide-line border-y border-line">{children}</div>
    </section>
  )
}
