import { t } from '@stint/core/text.ts'
import { useValue } from '#session/signed-in.ts'
import { RichText } from '#ui/rich-text.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'

/** What a real Appwrite lacks, and how its operator adds it. Nothing is shown while nothing is missing. */
export function MissingAttributes() {
  const missing = Object.entries(useValue('schema')?.missing ?? {})
  const lists = missing.flatMap(([collection, names]) =>
    names.length === 0 ? [] : `${collection}: ${names.join(', ')}`,
  )
  if (lists.length === 0) return null
  return (
    <LabelledRow
      label={t('Kept on this device only')}
      hint={
        <RichText
          text={t(
            'The Appwrite project lacks attributes ({attributes}). What they would hold stays on this device. Its operator adds them with <command>appwrite push collections</command>.',
            { attributes: lists.join('; ') },
          )}
          tags={{ command: (words) => <code>{words}</code> }}
        />
      }
    />
  )
}
