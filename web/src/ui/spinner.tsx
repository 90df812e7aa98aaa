import { classNames } from './class-names.ts'
import { Mark } from './mark.tsx'

/** A spinner. With reduced motion it stands still and the text beside it is the indicator. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <span className={classNames('inline-block animate-turn', className)} aria-hidden="true">
      <Mark className="size-full" />
    </span>
  )
}

/** The spinner with a text, for a page, a part of a page, or the first row of a list. */
export function Loading({ text, place = 'part' }: { text: string; place?: LoadingPlace }) {
  return (
    <output className={classNames('flex items-center gap-3 text-quiet', PLACES[place])}>
      <Spinner className="size-5 text-accent" />
      <span>{text}</span>
    </output>
  )
}

type LoadingPlace = 'page' | 'part' | 'row'

const PLACES: Record<LoadingPlace, string> = {
  page: 'min-h-dvh justify-center',
  part: 'justify-center py-16',
  row: 'h-14 border-b border-line px-4',
}
