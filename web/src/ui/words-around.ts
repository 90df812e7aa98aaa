/** The words before and after a name in a text, with their spaces. */
export interface WordsAround {
  readonly before: string
  readonly after: string
}

/** Stands for the name. */
const NAME = '\u0000'

/** Returns the words around the name in the text that `write` makes of a name. */
export function wordsAround(write: (name: string) => string): WordsAround {
  const [before = '', after = ''] = write(NAME).split(NAME)
  return { before, after }
}
