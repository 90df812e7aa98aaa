/**
 * The theme: light, dark or the system's. Every page begins with the theme of the last visit: an inline
 * script in app.html and scripts/prerender.ts applies it before the first paint, from the copy that is
 * stored here. Without a copy the system's theme is shown.
 */
import type { Theme } from '@stint/core/settings.ts'

const COPY = 'stint-theme'
const DARK = '(prefers-color-scheme: dark)'
/** The background of both themes, for the browser's toolbar. */
const PAPER = { light: '#fbfaf8', dark: '#0f1116' }

/** Applies a theme. Returns a function that stops following the system's theme. */
export function applyTheme(theme: Theme): () => void {
  keepCopy(theme)
  document.documentElement.dataset['theme'] = theme
  setMeta('color-scheme', theme === 'system' ? 'light dark' : theme)
  if (theme !== 'system') {
    setMeta('theme-color', PAPER[theme])
    return () => undefined
  }
  const dark = matchMedia(DARK)
  const follow = () => setMeta('theme-color', PAPER[dark.matches ? 'dark' : 'light'])
  follow()
  dark.addEventListener('change', follow)
  return () => dark.removeEventListener('change', follow)
}

/** Returns the theme that the page shows if it is dark now, else null. */
export function shownDarkTheme(): Theme | null {
  const shown = document.documentElement.dataset['theme']
  if (shown === 'dark') return shown
  return shown === 'system' && matchMedia(DARK).matches ? shown : null
}

function keepCopy(theme: Theme): void {
  try {
    localStorage.setItem(COPY, theme)
  } catch {
    // Without the copy, the page starts in the system's theme.
  }
}

function setMeta(name: string, content: string): void {
  document.querySelector(`meta[name="${name}"]`)?.setAttribute('content', content)
}
