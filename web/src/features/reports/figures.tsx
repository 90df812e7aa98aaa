import { memo } from 'react'
import type { ReactNode } from 'react'
import { classNames } from '#ui/class-names.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tooltip } from '#ui/tooltip.tsx'
import type { TooltipTrigger } from '#ui/tooltip.tsx'

/** A panel of figures. A press on a figure shows the sessions behind it. */
export function Figures({
  label,
  layout,
  children,
}: {
  label: string
  /** Seven chips, the first of them wide on narrow screens, or four cards. */
  layout: 'chips' | 'cards'
  children: ReactNode
}) {
  return (
    <ul
      aria-label={label}
      className={classNames(
        'grid gap-px overflow-hidden rounded-panel border border-line bg-line',
        layout === 'chips'
          ? 'grid-cols-3 *:first:col-span-full max-[22rem]:grid-cols-2 lg:grid-cols-[repeat(7,minmax(min-content,1fr))] lg:*:first:col-span-1'
          : 'grid-cols-2 wide:grid-cols-4',
      )}
    >
      {children}
    </ul>
  )
}

/** A figure with its label. While it is pending, it shows a placeholder and cannot be pressed. */
export const Figure = memo(function Figure({
  label,
  value,
  exact,
  note,
  pending,
  onExplain,
}: {
  label: string
  value: string
  /** The exact value of a rounded one. */
  exact?: string | undefined
  note?: string | undefined
  pending: boolean
  onExplain: () => void
}) {
  if (pending) {
    return (
      <li className="flex flex-col gap-1 bg-surface px-3 py-3 md:px-4">
        <span className="text-xs text-quiet">{label}</span>
        <Skeleton className="h-[1lh] w-14 scale-y-75 text-lg" />
      </li>
    )
  }
  const button = (trigger: Partial<TooltipTrigger>) => (
    <button
      type="button"
      {...trigger}
      aria-haspopup="dialog"
      onClick={onExplain}
      className="flex flex-1 flex-col gap-1 px-3 py-3 max-[26rem]:px-2.5 text-start transition-colors duration-80 hover:bg-wash focus-visible:-outline-offset-2 md:px-4"
    >
      <span className="text-xs text-quiet">{label}</span>
      <span className="figures whitespace-nowrap max-md:text-base md:text-lg">{value}</span>
      {note !== undefined && <span className="text-xs text-quiet">{note}</span>}
    </button>
  )
  return (
    <li className="flex bg-surface">
      {exact === undefined ? (
        button({})
      ) : (
        <Tooltip content={exact} className="flex flex-1">
          {button}
        </Tooltip>
      )}
    </li>
  )
})
