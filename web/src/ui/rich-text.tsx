import { Fragment } from 'react'
import type { ReactNode } from 'react'

/**
 * Renders a translated text that contains elements: each `<name>words</name>` in it becomes what
 * `tags.name` returns for the words. A translation may put the tags in another order.
 */
export function RichText({
  text,
  tags,
}: {
  text: string
  tags: Readonly<Record<string, (words: string) => ReactNode>>
}) {
  // Every third part is a tag's name, the one after it the words between.
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/)
  return parts.map((part, index) => {
    if (index % 3 === 1) return null
    const tag = index % 3 === 2 && tags[parts[index - 1] ?? '']
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other identity
    return <Fragment key={index}>{tag ? tag(part) : part}</Fragment>
  })
}
