import { t } from '@stint/core/text.ts'

import { useSession } from '#session/current-session.ts'
import { failureFrom } from '#session/failure.ts'
import type { CalendarAddress } from '#traces/traces-database.ts'

/** What an address has; a text of null: nothing has changed. */
type Answer = CalendarAddress & { readonly text: string | null }

/**
 * Returns a function that has the server read the calendar at an address. It rejects with an Error
 * whose message is the text to show.
 */
export function useCalendarAddress(): (address: CalendarAddress) => Promise<Answer> {
  const session = useSession()
  return async (address) => {
    try {
      const calls = await session.account()
      return { ...(await calls.readCalendar(address)), url: address.url }
    } catch (cause) {
      const { unreachable, type, message } = failureFrom(cause)
      throw new Error(
        unreachable ? t('No internet connection detected') : (TEXTS[type] ?? message),
        {
          cause,
        },
      )
    }
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  general_argument_invalid: t('Write an https address on the internet, like {example}.', {
    example: 'https://example.com/work.ics', // not translated: an address
  }),
  general_rate_limit_exceeded: t('This address was read in the last 15 minutes. Try again later.'),
  stint_calendar_unreadable: t('No calendar answers at this address.'),
  stint_calendars_off: t('This server does not read calendars at other addresses.'),
}
