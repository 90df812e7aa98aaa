/**
 * Light, dark, or as the system says. The page's own script sets the theme of last time before the
 * first paint, from the copy that is kept here (app.html).
 */
import type { Theme } from '@stint/core/settings.ts'

const COPY = 'stint-theme'
/** The paper of both themes, for the browser's own bars. */
const PAPER = { light: '#fbfaf8', dark: '#0f1116' }

/** Shows the page in a theme from now on; returns a function that stops following the system. */
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
    // Without it the page begins light.
  }
}

function setMeta(name: string, content: string): void {
  document.querySelector(`meta[name="${name}"]`)?.setAttribute('content', content)
}
