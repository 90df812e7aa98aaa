import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import type { ImportProblem } from '@stint/core/transfer/import-plan.ts'
import { Scroller } from '#ui/scroller.tsx'

/** A list with a title. */
export function Listed({
  title,
  level: Heading = 'h4',
  children,
}: {
  title: string
  level?: 'h3' | 'h4'
  children: ReactNode
}) {
  return (
    <div className="flex flex-col gap-2 text-sm">
      <Heading className="font-semibold">{title}</Heading>
      <Scroller
        label={title}
        className="max-h-72 overflow-y-auto rounded-panel border border-line bg-surface"
      >
        <ul className="divide-y divide-line">{children}</ul>
      </Scroller>
    </div>
  )
}

/** Says how many items of a list are not shown. */
export function More({ count }: { count: number }) {
  return (
    <li className="figures px-4 py-2 text-quiet">{t('and {count, number} more', { count })}</li>
  )
}

/** Items of a list: rows of a file, each with its line and what is said about it. */
export function FileRows({ rows }: { rows: readonly ImportProblem[] }) {
  return rows.map(({ line, why, text }, index) => (
    <li key={index} className="flex flex-col px-4 py-2 md:flex-row md:gap-4">
      <span className="figures shrink-0 text-quiet md:w-20">{t('Line {line}', { line })}</span>
      <span className="min-w-0 flex-1">
        {why}
        <span dir="auto" className="block truncate text-quiet" title={text}>
          {text}
        </span>
      </span>
    </li>
  ))
}
