import { splitAtTags } from '@stint/core/record/tags.ts'
import { t } from '@stint/core/text.ts'
import { Link } from '#ui/navigation.tsx'

/** The text of a note. Each of its tags leads to the sessions with it; `onFollow` is called then. */
export function NoteText({ note, onFollow }: { note: string; onFollow?: () => void }) {
  return splitAtTags(note).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <Link
        // The order of the parts never changes.
        // oxlint-disable-next-line react/no-array-index-key
        key={index}
        to={`/sessions?${new URLSearchParams({ q: part }).toString()}`}
        title={t('Show sessions with {tag}', { tag: part })}
        onClick={onFollow}
        className="rounded-square py-1 text-accent hover:underline"
      >
        {part}
      </Link>
    ),
  )
}
