import type { Language } from '@stint/core/text.ts'

/**
 * The oldest supported browsers of the CSS build: those with `light-dark()`, since May 2024. Older
 * targets would double the size of the CSS and rule out nested themes.
 */
export const CSS_TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

/** Where the build of a language lists its chunks, within the output folder. */
export function chunkList(language: Language): string {
  return language === 'en' ? '.vite/manifest.json' : `.vite/manifest.${language}.json`
}

/** Returns the name of a file that each language has, such as 'sw.js': 'sw.de.js'. */
export function nameIn(language: Language, name: string): string {
  return language === 'en' ? name : name.replace(/\.\w+$/, (ending) => `.${language}${ending}`)
}
