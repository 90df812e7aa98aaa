/**
 * Prints the notes of a version from CHANGELOG.md: `node scripts/release-notes.ts v1.0.0`. Fails if
 * the tag is not `v` and the version of package.json, or if the changelog has no such heading.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

if (import.meta.main) {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  try {
    console.log(
      releaseNotes(
        process.argv[2] ?? '',
        version,
        readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
      ),
    )
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/**
 * Returns the text under the heading of `version`.
 * @throws Error if `tag` is not that of `version`, or if the changelog has no text for it.
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) {
    throw new Error(
      `The tag is "${tag}", but package.json has the version ${version}: its tag is v${version}.`,
    )
  }
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((each) => each.startsWith(`${version}\n`))
  const notes = section?.slice(version.length).trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md has no notes under "## ${version}".`)
  return notes
}
