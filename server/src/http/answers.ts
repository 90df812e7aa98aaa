/** The schemas that replies share, and Stint's additions to the schema of a route. */
import { Type } from 'typebox'
import type { TProperties, TSchema } from 'typebox'
import type { KeyAccess } from '#storage/schema.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** One line on what the route does. */
    readonly summary?: string
    /** Kept for older clients; another route does the same. */
    readonly deprecated?: boolean
  }
  interface FastifyContextConfig {
    /**
     * Who may call: signed-in users, anyone, holders of a key that may read or write, or (undefined)
     * every caller that names the project.
     */
    readonly access?: 'users' | 'anyone' | KeyAccess | undefined
  }
}

/**
 * Returns the schema of an object with exactly these fields. A schema with a `title` becomes one
 * named component of the API description.
 */
export function answer<Properties extends TProperties>(properties: Properties, title?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(title === undefined ? {} : { title }),
  })
}

/** Returns the schema of a reply whose JSON text exists already. */
export function jsonText(schema: TSchema) {
  return Type.Unsafe<string | Buffer>(schema)
}

/** An instant: UTC, with milliseconds. */
export const instant = Type.String({
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$`,
})

/** An instant in Stint's own routes: UTC, with milliseconds and `Z`. */
export const utcInstant = Type.String({
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
})

/** The reply of status 204. */
export const noContent = Type.Undefined()
