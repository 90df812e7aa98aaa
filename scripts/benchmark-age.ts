/** Finds the parts of bench/results.json that speak of code from before the last release. */

/** The parts of `npm run bench`. */
export const PARTS = ['server', 'people', 'figures', 'browser', 'load'] as const
export type Part = (typeof PARTS)[number]

/** Each part with the version of the product that it measured. */
export type Measured = { readonly [Name in Part]?: { readonly version?: string } }

/**
 * Returns the parts that were not measured on this version or the release before it, as sentences.
 * @param version the version of the code.
 * @param changelog the text of CHANGELOG.md, whose headings are the releases, newest first.
 */
export function outdatedParts(results: Measured, version: string, changelog: string): string[] {
  const releases = [...changelog.matchAll(/^## (\d\S*)$/gm)].map(([, release]) => release)
  const versions = [version, ...releases.filter((release) => release !== version)]
  const isRecent = (measured: string) => versions.slice(0, 2).includes(measured)
  return PARTS.flatMap((part) => {
    const measured = results[part]?.version
    if (measured === undefined) return [`${part} has no version: run npm run bench -- ${part}`]
    if (isRecent(measured)) return []
    return [`${part} measured ${measured}, and this is ${version}: run npm run bench -- ${part}`]
  })
}
