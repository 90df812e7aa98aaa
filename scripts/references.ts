/**
 * Finds references to pages and files that the repository does not have: `node scripts/references.ts`.
 *
 * Whoever reads the repository has nothing else to open, so a rule is stated where it is used, or
 * in a page under docs/.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

import { ROOT } from './run.ts'

/** A reference that no file of the repository answers. */
export interface UnknownReference {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

/** Web addresses; their paths are not paths of the repository. */
const ADDRESS = /\bhttps?:\/\/\S+/g

/** A numbered section of a page that is not part of the repository: `spec` and `4`, for example. */
const SECTION =
  /\b(?:spec|design|contract|reliability|features|guide|house|issue)(?:'s)?,? (?:section |part |§ ?|#)?\d+(?:\.\d+)*\b/gi

/** A number of a list that is not part of the repository, for example `S` and `12`. */
const LABEL = /(?<![\w.#/-])[AST]\d{1,2}\b(?![-/.]\w)/g

/** Names that look like labels: paper sizes and a storage service. */
const NO_LABELS: ReadonlySet<string> = new Set(['A2', 'A3', 'A4', 'A5', 'S3'])

/** Lines in which a label is a reference: comments and the titles of tests. Code has names like these. */
const PROSE = /^\s*(?:\{?\/\*|\*|\/\/|#|--|<!--)|\s\/\/\s|\b(?:test|describe)(?:\.\w+)*\(/

/** A Markdown page, or a path under docs/. */
const PATH = /(?<![\w$}>-])(?:[\w.-]*\/)*[\w-]+\.md\b|(?<![\w./$}>-])(?:\.\.?\/)*docs\/[\w./-]*\w/g

/** A source file, by its path or the end of it: `time/instant.ts`. */
const SOURCE = /(?<![\w./@#-])(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.tsx?(?![\w/]|\.\w)/g

/** A folder, by its path or the end of it, in backticks. */
const FOLDER = /(?<=`)(?:[\w-][\w.-]*\/)+(?=`)/g

/** The decisions named after the word, for example `decision` and `96`, or `decisions` and `9, 10 and 11`. */
const DECISIONS = /\bdecisions? (\d+(?:(?:, | and | or |, and )\d+)*)/gi

const DECISION_FILE = /^docs\/decisions\/(\d{4})-/

/** What references can lead to. */
interface Repository {
  /** The paths of the files and of their folders. */
  readonly known: ReadonlySet<string>
  /** These paths and their ends. */
  readonly ends: ReadonlySet<string>
  readonly decisions: ReadonlySet<number>
}

/** Returns what can be referred to in a repository with these files. */
export function repositoryOf(files: ReadonlySet<string>): Repository {
  const known = knownPaths(files)
  const decisions = new Set([...files].map((file) => Number(DECISION_FILE.exec(file)?.[1])))
  return { known, ends: endsOf(known), decisions }
}

/**
 * Returns the references of a file's text that lead nowhere.
 *
 * @param path the file's path in the repository, with forward slashes
 */
export function unknownReferences(
  path: string,
  text: string,
  { known, ends, decisions }: Repository,
): UnknownReference[] {
  const everyLineIsProse = path.endsWith('.md')

  return text.split('\n').flatMap((original, index) => {
    const line = original.replaceAll(ADDRESS, '')
    const found = [
      ...matches(SECTION, line),
      ...matches(PATH, line).filter((reference) => !leadsSomewhere(reference, path, known)),
      ...[...line.matchAll(DECISIONS)].flatMap(([reference, numbers = '']) =>
        matches(/\d+/g, numbers).some((number) => !decisions.has(Number(number)))
          ? [reference]
          : [],
      ),
    ]
    if (everyLineIsProse || PROSE.test(line)) {
      found.push(
        ...matches(LABEL, line).filter((label) => !NO_LABELS.has(label)),
        ...matches(SOURCE, line).filter((file) => !ends.has(file)),
        ...matches(FOLDER, line).filter((folder) => !ends.has(folder.slice(0, -1))),
      )
    }
    return found.map((reference) => ({ line: index + 1, text: reference }))
  })
}

function matches(pattern: RegExp, line: string): string[] {
  return [...line.matchAll(pattern)].map(([text]) => text)
}

/** Returns the paths of the files and of the folders they are in. */
function knownPaths(files: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set(files)
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) known.add(folder)
  }
  return known
}

/** Returns the paths and their ends: for 'a/b/c' also 'b/c' and 'c'. */
function endsOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const ends = new Set<string>()
  for (const path of paths) {
    const names = path.split('/')
    for (let first = 0; first < names.length; first++) ends.add(names.slice(first).join('/'))
  }
  return ends
}

/** True if the path exists from the file's folder, from the root, from docs/ or from docs/decisions/. */
function leadsSomewhere(reference: string, path: string, known: ReadonlySet<string>): boolean {
  return [dirname(path), '.', 'docs', 'docs/decisions'].some((folder) =>
    known.has(posix.join(folder, reference)),
  )
}

/** Generated files, binary files, and the test that plants violations. */
const LEFT_OUT =
  /(?:^|\/)(?:package-lock|openapi)\.json$|\.(?:png|ico|woff2?|gz)$|^scripts\/references\.test\.ts$/

if (import.meta.main) {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  // A file that is deleted but not yet staged is listed too.
  const files = new Set(
    listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file))),
  )
  const repository = repositoryOf(files)
  const lines = [...files]
    .filter((file) => !LEFT_OUT.test(file))
    .flatMap((file) =>
      unknownReferences(file, readFileSync(join(ROOT, file), 'utf8'), repository).map(
        ({ line, text }) => `${file}:${line}: ${text}`,
      ),
    )
  if (lines.length > 0) {
    console.error(
      `${lines.join('\n')}\nThe repository has no such page or file. Name the one that it has, or state the reason instead.`,
    )
    process.exitCode = 1
  }
}
