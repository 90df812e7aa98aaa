import { balanceAfter } from '@stint/core/balance/balance.ts'
import { signed } from '@stint/core/balance/signed.ts'
import { t } from '@stint/core/text.ts'

import { useFormats } from '#hooks/use-formats.ts'
import { useMinuteInput, useReport } from '#hooks/use-report.ts'
import { Link } from '#ui/navigation.tsx'
import { exactSigned } from './balance-words.ts'
import { ZeroLine } from './balance-figures.tsx'
import { useBalance, useHoursAccount } from './use-balance.ts'

/** The balance now, and when it is zero, in a line that leads to its page. */
export function BalanceLink() {
  const { status, input: given } = useReport()
  const balance = useBalance(useMinuteInput(given), useHoursAccount())
  const { duration } = useFormats()
  if (status !== 'ready' || !balance) return null
  const seconds = balanceAfter(balance)
  return (
    <div className="ms-auto flex min-w-0 items-center gap-3">
      <div className="text-quiet max-md:hidden">
        <ZeroLine balance={balance} />
      </div>
      <Link
        to="/balance"
        title={exactSigned(seconds)}
        className="inline-flex h-11 items-center gap-1.5 rounded-control px-1 whitespace-nowrap hover:text-ink md:h-6"
      >
        {/* The narrowest phones have room for the figure alone. */}
        <span className="max-[23rem]:sr-only">{t('Balance')}</span>
        <span className="figures text-sm font-semibold text-ink">{signed(seconds, duration)}</span>
      </Link>
    </div>
  )
}
