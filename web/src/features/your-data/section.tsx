import type { ReactNode } from 'react'

/** A part of the page: its heading, a quiet line on what it is for, and what can be done. */
export function Section({
  id,
  title,
  about,
  children,
}: {
  id: string
  title: string
  about: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-t border-line pt-6">
      <div>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="max-w-2xl text-sm text-quiet text-pretty">{about}</p>
      </div>
      {children}
    </section>
  )
}
