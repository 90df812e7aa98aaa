/**
 * Permissions. Only its owner has access to a document
 * (docs/decisions/0034-who-may-ask.md), and no list of permissions can change
 * that.
 */
import { Type } from 'typebox'
import { apiError, description } from '#errors.ts'
import { isStorable, optional } from '#http/params.ts'

const MAX_PERMISSIONS = 100
const PERMISSION = /^(read|update|delete|write)\("([^"]{1,255})"\)$/

/** The `permissions` parameter: well-formed strings, or nothing. */
export const permissionList = optional(
  Type.Refine(
    Type.Array(Type.String(), {
      maxItems: MAX_PERMISSIONS,
      refusal: (value: unknown) => {
        if (!Array.isArray(value) || value.length > MAX_PERMISSIONS) {
          return description('list_of_texts', { max: MAX_PERMISSIONS })
        }
        const wrong: unknown = value.find((each) => !isPermission(each))
        const text = typeof wrong === 'string' ? wrong.slice(0, 64) : ''
        return description('permission', { permission: text.replaceAll('"', String.raw`\"`) })
      },
    }),
    (list) => list.every(isPermission),
  ),
)

function isPermission(value: unknown): boolean {
  return typeof value === 'string' && PERMISSION.test(value) && isStorable(value)
}

/** What an owner may do with a document. */
const OWNER_ACTIONS = ['read', 'update', 'delete'] as const

/** Returns the permissions of a document that is created without any. */
export function defaultPermissions(userId: string): string[] {
  return OWNER_ACTIONS.map((action) => `${action}("user:${userId}")`)
}

/**
 * Returns the list to store, with `write` expanded and without duplicates.
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
