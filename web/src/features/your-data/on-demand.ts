import { later } from '#ui/later.tsx'

/** The questions about time that counts twice. `app/companions.tsx` loads their code ahead. */
export const OverlapPrompts = later(
  async () => (await import('./overlap-prompts.tsx')).OverlapPrompts,
)
