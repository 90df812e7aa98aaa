import { classNames } from './class-names.ts'

/**
 * A placeholder for loading content, hidden from assistive technology. A text beside it names the
 * content.
 */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-breathe rounded-control bg-line', className)}
    />
  )
}

/** A placeholder for a figure within a line of text, which keeps its height. */
export function PendingFigure() {
  return <Skeleton className="inline-block! h-[0.7em] w-10" />
}

/** Placeholder rows for a loading list. */
export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  return (
    <div aria-hidden="true" className="flex flex-col">
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className="flex h-14 items-center gap-4 border-t border-line px-4 first:border-t-0"
        >
          <Skeleton className="h-3 w-5" />
          <Skeleton className={classNames('h-3', SKELETON_WIDTHS[row % SKELETON_WIDTHS.length])} />
          <Skeleton className="ms-auto h-3 w-12" />
          <Skeleton className="h-8 w-16" />
        </div>
      ))}
    </div>
  )
}

const SKELETON_WIDTHS = ['w-40', 'w-28', 'w-52', 'w-32'] as const
