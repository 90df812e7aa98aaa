import { isApple } from '#ui/is-apple.ts'

/** The keys that open the palette. */
// not translated: keys
export const PALETTE_KEYS = isApple() ? '⌘ K' : 'Ctrl K'

/** The keys that undo the last action (ui/undo.ts). */
// not translated: keys
export const UNDO_KEYS = isApple() ? '⌘ Z' : 'Ctrl Z'

/** Shows keys as key caps. 'G D' is two keys in sequence. */
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
