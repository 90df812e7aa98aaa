/** The schemas that answers share, and what a route's schema says beside Fastify's own parts. */
import { Type } from 'typebox'
import type { TProperties, TSchema } from 'typebox'

declare module 'fastify' {
  interface FastifySchema {
    /** What the route does, in a line. */
    readonly summary?: string
    /** Kept for older clients: another route does the same. */
    readonly deprecated?: boolean
  }
  interface FastifyContextConfig {
    /** Who may call: people who are signed in, anyone, or (undefined) whoever names the project. */
    readonly access?: 'users' | 'anyone' | undefined
  }
}

/** An object with exactly these fields. One with a `title` is described once, under this name. */
export function answer<Properties extends TProperties>(properties: Properties, title?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(title === undefined ? {} : { title }),
  })
}

/** What is sent as JSON text that is ready already, of a value of this schema. */
export function jsonText(schema: TSchema) {
  return Type.Unsafe<string | Buffer>(schema)
}

/** An instant: UTC, with milliseconds. */
export const instant = Type.String({
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$`,
})

/** 204. */
export const noContent = Type.Undefined()
