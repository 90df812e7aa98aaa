import { ChartNoAxesColumn, Ellipsis, Table2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Icon } from '#ui/icon.tsx'
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
            <div className="text-sm text-quiet max-lg:order-last max-lg:w-full">{figure}</div>
          )}
          {table && (
            <MoreMenu title={title} asTable={asTable} onToggle={() => setAsTable(!asTable)} />
          )}
          {action && <div className="-my-2 -me-2.5 md:my-0 print:hidden">{action}</div>}
        </header>
        {asTable && table ? table : children}
      </Panel>
    </section>
  )
}

/** What a chart offers besides what is seen. Escape and the loss of the focus close it. */
function MoreMenu({
  title,
  asTable,
  onToggle,
}: {
  title: string
  asTable: boolean
  onToggle: () => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    opener.current?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it handles events of its controls, and is none itself
    <div
      onKeyDown={({ key }) => {
        if (isOpen && key === 'Escape') close()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false)
      }}
      className="relative -my-2 -me-2.5 md:my-0 print:hidden"
    >
      <IconButton
        ref={opener}
        icon={Ellipsis}
        label={t('More')}
        // Not as text: a lookup of the title by its text finds the heading only.
        aria-label={t('More: {title}', { title })}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <div className="absolute end-0 top-full z-40 animate-appear rounded-control border border-line bg-raised p-1 shadow-float">
          <Button
            variant="quiet"
            size="small"
            aria-label={
              asTable
                ? t('Show as chart: {title}', { title })
                : t('Show as table: {title}', { title })
            }
            onClick={() => {
              onToggle()
              close()
            }}
            className="text-ink!"
          >
            <Icon of={asTable ? ChartNoAxesColumn : Table2} />
            {asTable ? t('Show as chart') : t('Show as table')}
          </Button>
        </div>
      )}
    </div>
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
