import { useHasBalance } from '#hooks/use-has-balance.ts'
import { TodayBar } from '#features/timeline/today-bar.tsx'
import { later } from '#ui/later.tsx'

const BalanceLink = later(
  async () => (await import('#features/balance/balance-link.tsx')).BalanceLink,
)

/** Today on the dashboard, with the balance of those who have an hours account. Loaded after the first paint. */
export function DashboardToday() {
  const hasBalance = useHasBalance()
  return <TodayBar beside={hasBalance && <BalanceLink />} />
}
