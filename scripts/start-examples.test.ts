/** The lines that the field 'What are you working on?' suggests, in each language. */
import { expect, test } from 'vitest'

import { startChoices } from '@stint/core/record/start-line.ts'
import { LANGUAGES, translator } from '@stint/core/text.ts'

import { catalogueOf } from '../server/src/catalogues.ts'

const EXAMPLES = ['call Ann #acme 10m ago', '9-10 hiring', 'report since 9:30']
const NOW = Date.parse('2026-03-09T10:52:00Z')

test.each(LANGUAGES)('Each suggested line is read in full in %s', (language) => {
  const text = translator(language, catalogueOf(language))
  for (const english of EXAMPLES) {
    const line = text(`example|${english}`)
    const [first] = startChoices(line, [], { timeZone: 'UTC', now: NOW }).choices
    const isRead = first?.startedAt !== null && /^\p{L}[\p{L} ]+$/u.test(first?.name ?? '')
    expect(isRead ? '' : line).toBe('')
  }
})
