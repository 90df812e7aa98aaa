/**
 * Permissions. A document is its owner's alone (docs/decisions/0086-documents-are-their-owners-alone.md), and no list
 * of permissions may say otherwise.
 */
import { apiError } from '#errors.ts'
import { isStorable, optional, refuse } from '#http/params.ts'
import type { Validator } from '#http/params.ts'

const PERMISSION = /^(read|update|delete|write)\("([^"]{1,255})"\)$/

/** The `permissions` parameter: up to 100 well-formed strings, or nothing. */
export const permissionList: Validator<readonly string[] | undefined> = optional((value) => {
  if (!Array.isArray(value) || value.length > 100) {
    return refuse('Value must a valid array no longer than 100 items and Value must be a string')
  }
  return value.map((each: unknown) => {
    const text = typeof each === 'string' ? each : ''
    if (!PERMISSION.test(text) || !isStorable(text)) {
      return refuse(
        `Permission "${text.slice(0, 64).replaceAll('"', String.raw`\"`)}" is not allowed. Must be one of: read, update, delete, write.`,
      )
    }
    return text
  })
})

/** What an owner may do with a document. */
const OWNER_ACTIONS = ['read', 'update', 'delete'] as const

/** The permissions of a document that is created without any. */
export function defaultPermissions(userId: string): string[] {
  return OWNER_ACTIONS.map((action) => `${action}("user:${userId}")`)
}

/**
 * Returns the list to store: `write` spelled out, nothing twice.
 * @throws ApiError user_unauthorized when it names anyone but the caller; general_argument_invalid
 * when it gives the caller less than reading, updating and deleting.
 */
export function ownPermissions(list: readonly string[], userId: string): string[] {
  const self = `user:${userId}`
  const stored = list.flatMap((text) => {
    const [, action = '', role] = PERMISSION.exec(text) ?? []
    if (role !== self) {
      throw apiError('user_unauthorized.permissions', { roles: self })
    }
    const actions = action === 'write' ? ['update', 'delete'] : [action]
    return actions.map((each) => `${each}("${role}")`)
  })
  const distinct = [...new Set(stored)]
  if (distinct.length < OWNER_ACTIONS.length) {
    throw apiError('general_argument_invalid.permissions', { role: self })
  }
  return distinct
}
