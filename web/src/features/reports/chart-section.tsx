import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/row.tsx'
import '#ui/print.css'

/** A picture under its title, which can be had as a table instead. */
export function ChartSection({
  title,
  figure,
  table,
  action,
  children,
}: {
  title: string
  /** What it comes to, beside the title. */
  figure?: ReactNode
  /** The same as a table; null while there is nothing to put in one. */
  table: ReactNode
  /** What can be done here, at the end of the title's line. */
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  const toggle = asTable ? 'Show as chart' : 'Show as table'
  return (
    <section aria-labelledby={id} className="break-inside-avoid">
      <Panel className="flex flex-col gap-4 p-4 md:p-5">
        <header className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
          <h2 id={id} className="flex-1 text-base font-semibold whitespace-nowrap">
            {title}
          </h2>
          {figure && (
            <div className="text-sm text-quiet max-md:order-last max-md:w-full">{figure}</div>
          )}
          {table && (
            <Button
              variant="quiet"
              size="small"
              aria-label={`${toggle}: ${title}`}
              onClick={() => setAsTable(!asTable)}
              className="-my-2 -mr-2.5 text-xs font-normal md:my-0 print:hidden"
            >
              {toggle}
            </Button>
          )}
          {action && <div className="-my-2 -mr-2.5 md:my-0 print:hidden">{action}</div>}
        </header>
        {asTable && table ? table : children}
      </Panel>
    </section>
  )
}

/** A figure within a line of text that can be pressed to see what it is made of. */
export function FigureButton({
  onExplain,
  title,
  children,
}: {
  onExplain: () => void
  title?: string
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={title}
      onClick={onExplain}
      className="figures rounded-control py-1 whitespace-nowrap underline decoration-line decoration-1 underline-offset-4 hover:decoration-current"
    >
      {children}
    </button>
  )
}
