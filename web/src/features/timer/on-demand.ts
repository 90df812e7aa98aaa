/**
 * What is rarely shown, so its code is loaded when it is needed. `app/companions.tsx` loads it ahead while there is a
 * network.
 */
import { later } from '#ui/later.tsx'

/** The timer's questions. */
export const Prompts = later(async () => (await import('./prompts.tsx')).Prompts)

/** Warnings about the storage. */
export const Warnings = later(async () => (await import('./warnings.tsx')).Warnings)
