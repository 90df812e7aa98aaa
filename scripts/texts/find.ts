/** Finds the texts of the code: those that are translated, and literals that nobody can translate. */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parseSync } from 'vite'

import { ROOT } from '../run.ts'

/** A call of `t`. */
export interface Text {
  readonly message: string
  /** The source of each placeholder's value. */
  readonly values: ReadonlyMap<string, string>
  readonly line: number
  readonly start: number
  readonly end: number
}

/** A literal that a screen may show, outside `t`. */
export interface Leftover {
  readonly text: string
  readonly line: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** The code whose texts people see. */
const SOURCES = [
  'web/src/**/*.{ts,tsx}',
  'web/manifest.ts',
  'core/src/**/*.ts',
  'server/src/accounts/mails.ts',
]
const NOT_SHOWN = /\.test\.tsx?$|\/src\/test\/|\.d\.ts$/

/** Returns the files whose texts people see, with their code, sorted by name. */
export async function sourceFiles(): Promise<{ file: string; code: string }[]> {
  const files = await Array.fromAsync(glob(SOURCES, { cwd: ROOT }))
  return Promise.all(
    files
      .filter((file) => !NOT_SHOWN.test(file))
      .toSorted()
      .map(async (file) => ({ file, code: await readFile(join(ROOT, file), 'utf8') })),
  )
}

/**
 * Returns the calls of `t` in a module, in order. Throws where a call cannot be compiled: its
 * message must be a literal, and its values an object literal.
 */
export function textsIn(file: string, code: string): Text[] {
  const texts: Text[] = []
  visit(parsed(file, code), [], (node) => {
    if (!isTextCall(node)) return
    const [first, second] = nodesOf(node['arguments'])
    const message = first && literalOf(first)
    const line = lineOf(code, node.start)
    if (message == null) throw new Error(`${file}:${line}: the text is not a literal`)
    const values = new Map<string, string>()
    for (const property of second ? nodesOf(second['properties']) : []) {
      const [key] = nodesOf(property['key'])
      const [value] = nodesOf(property['value'])
      const name = key && (literalOf(key) ?? textOf(key, 'name'))
      if (!value || !name) throw new Error(`${file}:${line}: the values are not an object literal`)
      values.set(name, code.slice(value.start, value.end))
    }
    texts.push({ message, values, line, start: node.start, end: node.end })
  })
  return texts.toSorted((one, other) => one.start - other.start)
}

/** Attributes that people see or hear. */
const SPOKEN =
  /^(label|title|placeholder|alt|hint|text|description|heading|aria-label|aria-description|aria-valuetext|aria-roledescription)$/
/** A sentence, or words that begin with a capital letter. */
const SENTENCE = /^[“‘(]?\p{Lu}[\p{L}’'…-]*(?:[ ,.:?!…]|$)/u
const WORDS = /\p{L}{2}/u

/** Returns the literals outside `t` that look like a text for people. */
export function leftoversIn(file: string, code: string): Leftover[] {
  const found: Leftover[] = []
  const lines = code.split('\n')
  visit(parsed(file, code), [], (node, parents) => {
    const text = shownText(node, parents)
    if (text === null || parents.some(isTextCall) || parents.some(isUnseen)) return
    const line = lineOf(code, node.start)
    if (
      /not translated/.test(lines[line - 1] ?? '') ||
      /not translated/.test(lines[line - 2] ?? '')
    )
      return
    found.push({ text, line })
  })
  return found
}

function shownText(node: Node, parents: readonly Node[]): string | null {
  const parent = parents.at(-1)
  if (node.type === 'JSXText') {
    const text = String(node['value']).replaceAll(/\s+/g, ' ').trim()
    return WORDS.test(text) && text !== 'Stint' ? text : null
  }
  if (node.type === 'TemplateElement') {
    const raw = textOf(node['value'], 'raw')
    return WORDS.test(raw) && /\p{L}+ \p{L}+|^\p{Lu}\p{Ll}+ /u.test(raw) && SENTENCE.test(raw)
      ? raw
      : null
  }
  const text = literalOf(node)
  if (text === null || !parent || !WORDS.test(text) || text === 'Stint') return null
  if (parent.type === 'JSXAttribute') return SPOKEN.test(nameOf(parent)) ? text : null
  if (parent.type === 'Property' && parent['key'] === node) return null
  if (!SENTENCE.test(text)) return null
  if (parent.type === 'Property' && parent['value'] === node && SPOKEN.test(nameOf(parent)))
    return text
  return text.includes(' ') || parents.some(isSpokenAttribute) ? text : null
}

/** Errors of programmers, types, imports and comparisons. */
function isUnseen(node: Node): boolean {
  if (/^(TS|Import|Export(All|Named)Declaration$)/.test(node.type))
    return (
      node.type !== 'ExportNamedDeclaration' &&
      !/^TS(AsExpression|SatisfiesExpression|NonNullExpression)$/.test(node.type)
    )
  if (node.type === 'NewExpression') return calleeOf(node).endsWith('Error')
  return false
}

function isSpokenAttribute(node: Node): boolean {
  return node.type === 'JSXAttribute' && SPOKEN.test(nameOf(node))
}

function isTextCall(node: Node): boolean {
  return node.type === 'CallExpression' && calleeOf(node) === 't'
}

function calleeOf(node: Node): string {
  const [callee] = nodesOf(node['callee'])
  return callee?.type === 'Identifier' ? textOf(callee, 'name') : ''
}

function nameOf(node: Node): string {
  const name = node['name'] ?? node['key']
  return textOf(name, 'name') || textOf(name, 'value')
}

/** Returns the text of a string literal or a template without placeholders, or null. */
function literalOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral' || nodesOf(node['expressions']).length > 0) return null
  const [only] = nodesOf(node['quasis'])
  return textOf(only?.['value'], 'cooked')
}

function parsed(file: string, code: string): Node {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return { type: program.type, start: program.start, end: program.end, body: program.body }
}

function visit(
  node: Node,
  parents: readonly Node[],
  see: (node: Node, parents: readonly Node[]) => void,
): void {
  see(node, parents)
  const within = [...parents, node]
  for (const field of Object.values(node)) {
    for (const child of nodesOf(field)) visit(child, within, see)
  }
}

function nodesOf(field: unknown): Node[] {
  return (Array.isArray(field) ? field : [field]).filter(
    (each): each is Node => typeof each === 'object' && each !== null && 'type' in each,
  )
}

/** Returns a field of a node if it is a text, else ''. */
function textOf(node: unknown, field: string): string {
  const value: unknown =
    typeof node === 'object' && node !== null ? Reflect.get(node, field) : undefined
  return typeof value === 'string' ? value : ''
}

function lineOf(code: string, at: number): number {
  return code.slice(0, at).split('\n').length
}
