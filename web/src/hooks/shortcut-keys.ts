/**
 * The keys of every shortcut. The listener, the palette and the list of shortcuts read them here. A
 * new one does not compile until `features/keyboard` has a command (`commands.ts`) and a row in the list
 * (`shortcut-sheet.tsx`), and, if it opens a page, an item in the palette (`palette-items.ts`).
 */

/** 'G D' is two keys in sequence. */
export const SHORTCUT_KEYS = {
  start: 'N',
  stop: 'S',
  pause: 'P',
  continue: 'C',
  add: 'A',
  search: '/',
  sheet: '?',
  dashboard: 'G D',
  tasks: 'G T',
  reports: 'G R',
  sessions: 'G S',
  settings: 'G ,',
} as const

export type KeyedShortcut = keyof typeof SHORTCUT_KEYS

/** 'palette' has Ctrl/Cmd-K, which works in fields too; 'float' has no keys. */
export type Shortcut = KeyedShortcut | 'palette' | 'float'

/** The shortcuts that open a page. */
export type PageShortcut = {
  [S in KeyedShortcut]: (typeof SHORTCUT_KEYS)[S] extends `G ${string}` ? S : never
}[KeyedShortcut]

/** Returns the shortcuts by their key: those of a single key, or by the second key those after G. */
export function shortcutsByKey(isAfterG: boolean): ReadonlyMap<string, KeyedShortcut> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has no other keys
  const names = Object.keys(SHORTCUT_KEYS) as KeyedShortcut[]
  return new Map(
    names.flatMap((name) => {
      const keys = SHORTCUT_KEYS[name].toLowerCase().split(' ')
      return keys.length === (isAfterG ? 2 : 1) ? [[keys.at(-1) ?? '', name] as const] : []
    }),
  )
}
