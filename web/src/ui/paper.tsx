/** A page for printing, as it is shown and as it is printed. */
import type { ReactNode } from 'react'
import './print.css'
import './paper.css'

/** The sheet of paper. */
export const PAPER_CLASSES =
  'paper flex flex-col gap-8 rounded-panel border border-line bg-surface p-5 text-sm text-ink md:p-10 print:border-0 print:p-0'

/** A table whose first and last columns are text and whose other columns are figures. */
export function Table({
  title,
  headings,
  words,
  lastWords = 0,
  showsTitle = true,
  children,
}: {
  /** The heading, and the accessible name. */
  title: string
  headings: readonly string[]
  /** How many of the first columns are text, and of the last. */
  words: number
  lastWords?: number
  showsTitle?: boolean
  children: ReactNode
}) {
  return (
    <section>
      {showsTitle && <h2 className="pb-1 font-semibold">{title}</h2>}
      {/* A long name wraps, so that it does not push the figures off the page. */}
      <table aria-label={title} className="w-full border-collapse">
        <thead>
          <tr>
            {headings.map((heading, index) => (
              <th
                key={heading}
                scope="col"
                className={`border-b border-edge py-1 font-normal text-quiet ${index < words ? 'pe-3 text-start' : index < headings.length - lastWords ? 'ps-3 text-end' : 'ps-3 text-start'}`}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** A cell with text. */
export function Words({
  isRowHead = false,
  className = '',
  children,
}: {
  isRowHead?: boolean
  className?: string
  children: ReactNode
}) {
  const classes = `border-b border-line py-1 pe-3 text-start align-top font-normal wrap-anywhere ${className}`
  return isRowHead ? (
    <th scope="row" dir="auto" className={classes}>
      {children}
    </th>
  ) : (
    <td className={classes}>{children}</td>
  )
}

/** A cell with a figure. */
export function Figure({ children }: { children: ReactNode }) {
  return (
    <td className="figures border-b border-line py-1 ps-3 text-end align-top md:whitespace-nowrap print:whitespace-nowrap">
      {children}
    </td>
  )
}
