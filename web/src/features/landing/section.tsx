import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'

/** A section of the page: the text in one column, the content in the other. */
export function Section({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text: ReactNode
  children: ReactNode
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-6 border-t border-line py-12 md:py-16 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-16"
    >
      <div className="flex max-w-xl flex-col gap-3">
        <h2 id={`${id}-title`} className="text-lg font-semibold tracking-tight">
          {title}
        </h2>
        <div className="flex flex-col gap-3 text-quiet">{text}</div>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

/** A component of the product with sample data and a caption that says so. */
export function Sample({ caption, children }: { caption?: string; children: ReactNode }) {
  return (
    <figure className="flex flex-col gap-2">
      {children}
      <figcaption className="text-xs text-quiet">{caption ?? t('Sample data')}</figcaption>
    </figure>
  )
}
