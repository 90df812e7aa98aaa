/**
 * Asking for what a shortcut does: by its key, or by a button that does the same. What does it is
 * loaded behind the screen; until it is there, what was asked for last waits.
 */

export type Shortcut =
  | 'palette'
  | 'sheet'
  | 'start'
  | 'stop'
  | 'pause'
  | 'continue'
  | 'add'
  | 'search'
  | 'float'
  | 'dashboard'
  | 'tasks'
  | 'reports'
  | 'settings'

let answer: ((shortcut: Shortcut) => void) | null = null
let waiting: Shortcut | null = null
let load: (() => void) | null = null

/** Has it done, as soon as the code that does it is there. */
export function ask(shortcut: Shortcut): void {
  if (answer) return answer(shortcut)
  waiting = shortcut
  load?.()
}

/** Does what is asked for from now on, and what waited; answers how to stop that. */
export function answerAsked(work: (shortcut: Shortcut) => void): () => void {
  answer = work
  const first = waiting
  waiting = null
  if (first) work(first)
  return () => {
    answer = null
  }
}

/** Calls back when something is asked for and nothing is there yet to do it. */
export function onUnanswered(work: () => void): () => void {
  load = work
  return () => {
    load = null
  }
}

/** Whether it is a machine with a Command key. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
