import { Mark } from './mark.tsx'

/** The mark, turning. With reduced motion it stands still and the text beside it says the rest. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <span className={`inline-block animate-turn ${className}`} aria-hidden="true">
      <Mark className="size-full" />
    </span>
  )
}

/** What a whole page, or a part of one, shows while it has nothing yet: the spinner and a text. */
export function Loading({ text, fullPage = false }: { text: string; fullPage?: boolean }) {
  return (
    <output
      className={`flex items-center justify-center gap-3 text-quiet ${fullPage ? 'min-h-dvh' : 'py-16'}`}
    >
      <Spinner className="size-5 text-accent" />
      <span>{text}</span>
    </output>
  )
}
