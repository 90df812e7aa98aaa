/** Password strength. */
import { t } from '#text.ts'

export const MIN_PASSWORD_STRENGTH = 2
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 256

const RULES: readonly ((password: string) => boolean)[] = [
  (password) => password.length >= MIN_PASSWORD_LENGTH,
  (password) => /\p{Ll}/u.test(password),
  (password) => /\p{Lu}/u.test(password),
  (password) => /\p{Nd}/u.test(password),
  (password) => /[^\p{Ll}\p{Lu}\p{Nd}]/u.test(password),
]

const LABELS: readonly string[] = [t('Very Weak'), t('Weak'), t('Fair'), t('Good'), t('Strong')]

/**
 * Returns 0 … 5: one point each for length, lower case, upper case, digit and special character.
 */
export function passwordStrength(password: string): number {
  return RULES.filter((rule) => rule(password)).length
}

/** Returns 'Very Weak' … 'Strong' for the scores 1 … 5; null for an empty password. */
export function passwordStrengthLabel(password: string): string | null {
  return LABELS[passwordStrength(password) - 1] ?? null
}
