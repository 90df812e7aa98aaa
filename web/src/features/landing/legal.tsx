import type { ReactNode } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { PublicPage } from './frame.tsx'
import { Quiet } from '#ui/quiet.tsx'
import { RichText } from '#ui/rich-text.tsx'

/** The layout of a legal text: title, date of the last change, numbered sections. */
export function LegalPage({
  title,
  lead,
  children,
}: {
  title: string
  lead: ReactNode
  children: ReactNode
}) {
  return (
    <PublicPage
      corner={
        <Link
          to="/"
          className="inline-flex h-11 items-center rounded-control px-1 text-sm underline underline-offset-4"
        >
          {t('Back to home')}
        </Link>
      }
    >
      <main className="pt-6 pb-16 md:pt-10">
        <article className="flex max-w-2xl flex-col gap-10">
          <header className="flex flex-col gap-3">
            <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{title}</h1>
            <Quiet>
              <RichText
                text={t('Last updated <date>October 2025</date>')}
                tags={{ date: (date) => <time dateTime="2025-10">{date}</time> }}
              />
            </Quiet>
            <p className="text-quiet">{lead}</p>
          </header>
          {children}
        </article>
      </main>
    </PublicPage>
  )
}

/** A numbered section. */
export function Part({
  place,
  title,
  children,
}: {
  place: number
  title: string
  children: ReactNode
}) {
  return (
    <section
      aria-labelledby={`part-${place}`}
      className="flex flex-col gap-3 [&_li]:ms-5 [&_li]:list-disc [&_ul]:flex [&_ul]:flex-col [&_ul]:gap-1"
    >
      <h2 id={`part-${place}`} className="font-semibold">
        {place}. {title}
      </h2>
      {children}
    </section>
  )
}
