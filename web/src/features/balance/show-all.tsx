import { t } from '@stint/core/text.ts'

import { Button } from '#ui/button.tsx'

/** Lists what is not shown yet of a long list; nothing where all is shown. */
export function ShowAll({
  count,
  listed,
  onShow,
}: {
  /** How many there are, and how many of them are shown. */
  count: number
  listed: number
  onShow: (count: number) => void
}) {
  if (count <= listed) return null
  return (
    <Button variant="quiet" size="small" className="self-start" onClick={() => onShow(count)}>
      {t('Show all {count}', { count })}
    </Button>
  )
}
