/**
 * The words of targets in each language, as `folded` writes them: parts of regular expressions. Spans have the
 * words of contracts (`balance/line-words.ts`).
 */
import { LANGUAGE } from '#text.ts'
import type { Bound } from './targets.ts'

interface TargetWords {
  readonly bounds: Readonly<Record<Bound, string>>
  /** What may stand between the hours and what they are for. */
  readonly between: string
}

const SIGNS: Readonly<Record<Bound, string>> = { least: '>=|≥', most: '<=|≤' }

const EN: TargetWords = {
  bounds: {
    least: 'at least|no less than|minimum(?: of)?|min\\.?',
    most: 'at most|no more than|up to|maximum(?: of)?|max\\.?',
  },
  between: 'of all work|of everything|all work|in all|in total|of|on|for|with',
}

const DE: TargetWords = {
  bounds: {
    least: 'mindestens|wenigstens|minimum|min\\.?',
    most: 'hochstens|maximal|bis zu|maximum|max\\.?',
  },
  between: 'alle arbeit|insgesamt|fur|mit|an|in',
}

const FR: TargetWords = {
  bounds: {
    least: 'au moins|au minimum|minimum|min\\.?',
    most: "au plus|au maximum|pas plus de|jusqu'a|maximum|max\\.?",
  },
  between: 'tout le travail|en tout|au total|pour|sur|de',
}

const ES: TargetWords = {
  bounds: {
    least: 'al menos|por lo menos|como minimo|minimo|min\\.?',
    most: 'como maximo|a lo sumo|no mas de|hasta|maximo|max\\.?',
  },
  between: 'todo el trabajo|en total|para|en|de|con',
}

const WORDS: readonly TargetWords[] =
  LANGUAGE === 'de' ? [DE, EN] : LANGUAGE === 'fr' ? [FR, EN] : LANGUAGE === 'es' ? [ES, EN] : [EN]

/** The words before hours that say which bound they are, as a pattern. */
export const BOUND_WORDS: Readonly<Record<Bound, string>> = {
  least: boundWords('least'),
  most: boundWords('most'),
}

function boundWords(bound: Bound): string {
  return `(?:${[...WORDS.map(({ bounds }) => bounds[bound]), SIGNS[bound]].join('|')})`
}

export const BETWEEN_WORDS = `(?:${WORDS.map(({ between }) => between).join('|')})`
