/**
 * The theme: light, dark or the system's. An inline script in app.html applies the theme of the last
 * visit before the first paint, from the copy that is stored here.
 */
import type { Theme } from '@stint/core/settings.ts'

const COPY = 'stint-theme'
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
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => setMeta('theme-color', PAPER[dark.matches ? 'dark' : 'light'])
  follow()
  dark.addEventListener('change', follow)
  return () => dark.removeEventListener('change', follow)
}

function keepCopy(theme: Theme): void {
  try {
    localStorage.setItem(COPY, theme)
  } catch {
    // Without the copy, the page starts in the light theme.
  }
}

function setMeta(name: string, content: string): void {
  document.querySelector(`meta[name="${name}"]`)?.setAttribute('content', content)
}
