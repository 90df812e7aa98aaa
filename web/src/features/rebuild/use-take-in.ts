import { t } from '@stint/core/text.ts'
import type { DayRule } from '@stint/core/time/day-rule.ts'

import { useAuth } from '#hooks/use-auth.ts'
import type { Added } from '#traces/kept-traces.ts'
import type { Origin } from '#traces/traces-database.ts'
import { useTraces } from '#hooks/use-traces.ts'
import { showToast } from '#ui/toast.tsx'
import { KIND_WORDS } from '#hooks/proof-words.ts'

/** The text of a source, its name if it has none itself, and where it was read. */
export interface Text {
  readonly name: string
  readonly text: string
  readonly origin?: Origin
}

/**
 * Returns a function that keeps what a text has, and says how much it is. It rejects with an Error
 * whose message is the text to show.
 */
export function useTakeIn(dayRule: DayRule, now: number): (text: Text) => Promise<Added> {
  const { traces } = useTraces()
  const auth = useAuth()
  const addresses = auth.status === 'signed-in' ? [auth.user.email] : []
  return async ({ name, text, origin }) => {
    const options = { name, timeZone: dayRule.timeZone, now, addresses }
    const added = await traces.change('addFile', text, options, origin)
    showToast({
      text: t('{kind}: {count, plural, one {# item} other {# items}} read', {
        kind: KIND_WORDS[added.kind],
        count: added.count,
      }),
    })
    return added
  }
}
