import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/row.tsx'
import '#ui/print.css'

/** A chart with a title, which can be switched to a table. */
export function ChartSection({
  id,
  title,
  figure,
  table,
  action,
  children,
}: {
  /** Makes the section a place to go to. */
  id?: string
  title: string
  /** The chart's total, beside the title. */
  figure?: ReactNode
  /** The chart's data as a table; null without data. */
  table: ReactNode
  /** An action at the end of the title's line. */
  action?: ReactNode
  children: ReactNode
}) {
  const titleId = useId()
  const [asTable, setAsTable] = useState(false)
  return (
    <section
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-labelledby={titleId}
      className="scroll-mt-4 break-inside-avoid rounded-panel"
    >
      <Panel className="flex flex-col gap-4 p-4 md:p-5">
        <header className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
          <h2 id={titleId} className="flex-1 text-base font-semibold whitespace-nowrap">
            {title}
          </h2>
          {figure && (
            <div className="text-sm text-quiet max-md:order-last max-md:w-full">{figure}</div>
          )}
          {table && (
            <Button
              variant="quiet"
              size="small"
              aria-label={
                asTable
                  ? t('Show as chart: {title}', { title })
                  : t('Show as table: {title}', { title })
              }
              onClick={() => setAsTable(!asTable)}
              className="-my-2 -me-2.5 text-xs font-normal md:my-0 print:hidden"
            >
              {asTable ? t('Show as chart') : t('Show as table')}
            </Button>
          )}
          {action && <div className="-my-2 -me-2.5 md:my-0 print:hidden">{action}</div>}
        </header>
        {asTable && table ? table : children}
      </Panel>
    </section>
  )
}

/** A figure in a line of text. A press shows what is behind it. */
export function FigureButton({
  onExplain,
  title,
  tabIndex,
  children,
}: {
  onExplain: () => void
  title?: string
  tabIndex?: number
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={title}
      tabIndex={tabIndex}
      onClick={onExplain}
      className="figures rounded-control py-1 whitespace-nowrap underline decoration-line decoration-1 underline-offset-4 hover:decoration-current"
    >
      {children}
    </button>
  )
}
