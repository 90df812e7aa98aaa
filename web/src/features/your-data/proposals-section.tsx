import { useCallback, useEffect, useState } from 'react'
import { t } from '@stint/core/text.ts'
import { useIsOwnServer } from '#hooks/use-is-own-server.ts'
import { useSession } from '#session/current-session.ts'
import { ProposalReview } from './proposal-review.tsx'
import type { Proposal } from './proposal-review.tsx'
import { Section } from './section.tsx'
import { useRecord } from './use-record.ts'

/** What assistants propose, to accept or to dismiss. Nothing is shown while nothing waits. */
export function ProposalsSection() {
  const session = useSession()
  const record = useRecord()
  const [proposals, setProposals] = useState<readonly Proposal[]>([])
  // Only Stint's own server has proposals.
  const isOwnServer = useIsOwnServer()
  const load = useCallback(async () => {
    if (isOwnServer === true) setProposals(await (await session.account()).proposals())
  }, [isOwnServer, session])
  useEffect(() => {
    // Without the server, proposals wait.
    const loadAgain = () => void load().catch(() => undefined)
    loadAgain()
    addEventListener('focus', loadAgain)
    return () => removeEventListener('focus', loadAgain)
  }, [load])

  if (proposals.length === 0 || record.status !== 'ready') return null
  return (
    <Section
      id="proposals"
      title={t('Proposed changes')}
      about={t('From assistants that use your keys. Nothing changes until you accept.')}
    >
      {proposals.map((proposal) => (
        <ProposalReview
          key={proposal.id}
          proposal={proposal}
          entries={record.entries}
          onEnded={() => setProposals(proposals.filter(({ id }) => id !== proposal.id))}
        />
      ))}
    </Section>
  )
}
