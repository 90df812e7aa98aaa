import type { ReactNode } from 'react'

/** A section of the page: a heading, a description and the content. */
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
    <section aria-labelledby={id} className="flex flex-col gap-3">
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
