import { isApple } from './api.ts'

/** What opens the palette. */
export const PALETTE_KEYS = isApple() ? '⌘ K' : 'Ctrl K'

/** What takes the last thing back (ui/undo.ts). */
export const UNDO_KEYS = isApple() ? '⌘ Z' : 'Ctrl Z'

/** Keys as they look on a keyboard: 'G D' are two, pressed one after the other. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="flex shrink-0 gap-1">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-[4px] border border-line px-1.5 font-sans text-xs text-quiet"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
