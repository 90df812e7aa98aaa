/**
 * Compiles texts into a build: replaces each call `t('…')` by an expression in the language of the
 * build. What a page does not show is not in it, and English costs nothing.
 */
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'

import { CONTEXT } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import { catalogueOf } from '../../server/src/catalogues.ts'
import type { Catalogue } from '../../server/src/catalogues.ts'
import { textsIn } from './find.ts'

/** A Vite plugin that compiles the texts of every module, and sets the language of the build. */
export function compiledTexts(language: Language): Plugin {
  const catalogue = catalogueOf(language)
  return {
    name: 'stint-texts',
    enforce: 'pre',
    config: () => ({ define: { STINT_LANGUAGE: JSON.stringify(language) } }),
    // The filter spares the builder a call for each module of a library.
    transform: {
      filter: { id: /\.tsx?(?:\?|$)/, code: /\bt\(/ },
      handler(code, id) {
        const [file = id] = id.split('?', 1)
        // Lines stay, so the source map does too.
        return { code: compileModule(file, code, language, catalogue), map: null }
      },
    },
  }
}

/** Returns a module in which texts stand in the place of calls of `t`, on the same lines. Throws on a faulty message. */
export function compileModule(
  file: string,
  code: string,
  language: Language,
  catalogue: Catalogue,
): string {
  let compiled = withTexts(file, code, language, catalogue)
  if (compiled.includes('$pluralOf('))
    compiled = `import { pluralOf as $pluralOf } from '@stint/core/text.ts'; ${compiled}`
  if (compiled.includes('$grouped('))
    compiled = `import { grouped as $grouped } from '@stint/core/grouped.ts'; ${compiled}`
  return compiled
}

function withTexts(file: string, code: string, language: Language, catalogue: Catalogue): string {
  let [compiled, done] = ['', 0]
  for (const { message, values, start, end } of textsIn(file, code)) {
    // A text within the values of the one before is compiled with them.
    if (start < done) continue
    const sources = values
      .entries()
      .map(([name, source]) => [name, withTexts(file, `(${source})`, language, catalogue)] as const)
    const text = expression(catalogue[message] || message, new Map(sources), language)
    compiled += code.slice(done, start) + onAsManyLines(text, code.slice(start, end))
    done = end
  }
  return compiled + code.slice(done)
}

/** Returns an expression with at least as many lines as a call. */
function onAsManyLines(expression: string, call: string): string {
  const missing = call.split('\n').length - expression.split('\n').length
  return missing <= 0 ? expression : `(${'\n'.repeat(missing)}${expression})`
}

/** Returns a JavaScript expression of a message. `values` are the expressions of its placeholders. */
function expression(
  message: string,
  values: ReadonlyMap<string, string>,
  language: Language,
): string {
  return template(parseMessage(message), null)

  function template(elements: readonly MessageFormatElement[], count: string | null): string {
    const [only] = elements
    if (elements.length === 1 && only && only.type !== TYPE.literal) return `(${part(only, count)})`
    const parts = elements.map((element) =>
      element.type === TYPE.literal ? escaped(element.value) : `\${${part(element, count)}}`,
    )
    return `\`${parts.join('')}\``
  }

  function part(element: MessageFormatElement, count: string | null): string {
    switch (element.type) {
      case TYPE.argument:
        return valueOf(element.value)
      case TYPE.number:
        return `$grouped(${valueOf(element.value)})`
      case TYPE.pound:
        if (count === null) throw new Error(`A # outside a plural: ${message}`)
        return `$grouped(${count})`
      case TYPE.plural:
      case TYPE.select: {
        const value = valueOf(element.value)
        const isPlural = element.type === TYPE.plural
        const choices = Object.entries(element.options).filter(([choice]) => choice !== 'other')
        const other = element.options['other']
        if (!other) throw new Error(`No 'other': ${message}`)
        return choices.reduceRight(
          (otherwise, [choice, { value: text }]) => {
            const is = isPlural
              ? isOfPlural(value, choice, language)
              : `${value}===${JSON.stringify(choice)}`
            return `${is}?${template(text, isPlural ? value : count)}:${otherwise}`
          },
          template(other.value, isPlural ? value : count),
        )
      }
      default:
        throw new Error(`Dates, times and tags are formatted by the code: ${message}`)
    }
  }

  function valueOf(name: string): string {
    const value = values.get(name)
    if (value === undefined) throw new Error(`No value for {${name}}: ${message}`)
    return value
  }
}

/** Returns the condition under which a count takes a form, such as '=0' or 'one'. */
function isOfPlural(count: string, form: string, language: Language): string {
  if (form.startsWith('=')) return `${count}===${form.slice(1)}`
  // Where one form is for 1 alone, the browser need not load the rules of plurals.
  const rules = new Intl.PluralRules(language)
  const isForOneAlone = [...Array(200).keys()].every(
    (n) => (rules.select(n) === form) === (n === 1),
  )
  return isForOneAlone ? `${count}===1` : `$pluralOf(${count})===${JSON.stringify(form)}`
}

/** Parses a message without its context. Throws on a faulty one. */
export function parseMessage(message: string): readonly MessageFormatElement[] {
  return parse(message.replace(CONTEXT, ''), { ignoreTag: true })
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`]|\$(?=\{)/g, (special) => `\\${special}`)
}

/** Returns the names of a message's placeholders and tags, sorted: 'count', '<link>'. */
export function placeholdersOf(message: string): string[] {
  const names = new Set<string>(message.match(/<\w+>/g))
  collect(parseMessage(message))
  return [...names].toSorted()

  function collect(elements: readonly MessageFormatElement[]): void {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue
      names.add(element.value)
      if (element.type !== TYPE.plural && element.type !== TYPE.select) continue
      for (const { value } of Object.values(element.options)) collect(value)
    }
  }
}
