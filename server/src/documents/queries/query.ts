/** A parsed and checked query, as a tree. */
import type { Scalar } from '#documents/document.ts'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/** A condition; `value` and the like are indexes into the query's values. */
export type Filter =
  | {
      readonly kind: 'compare'
      readonly attribute: string
      readonly comparison: Comparison
      readonly value: number
    }
  /** The value is a list, so that a longer one is the same statement. */
  | { readonly kind: 'in'; readonly attribute: string; readonly value: number }
  | {
      readonly kind: 'between'
      readonly attribute: string
      readonly low: number
      readonly high: number
      readonly negated: boolean
    }
  | { readonly kind: 'null'; readonly attribute: string; readonly negated: boolean }
  | {
      readonly kind: 'text'
      readonly attribute: string
      readonly at: 'anywhere' | 'start' | 'end'
      readonly value: number
      readonly negated: boolean
    }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }

export interface Order {
  readonly attribute: string
  readonly descending: boolean
}

/** The part of a query that does not depend on its values. */
export interface QueryShape {
  readonly filters: readonly Filter[]
  readonly orders: readonly Order[]
  readonly cursor: 'after' | 'before' | null
}

export interface DocumentQuery {
  readonly shape: QueryShape
  /** Dates as wire text, text for `text` filters folded to lower case. */
  readonly values: readonly (Scalar | readonly Scalar[])[]
  readonly limit: number
  readonly offset: number
  readonly cursorId: string | null
  /** The attributes to send, or null for all. */
  readonly select: readonly string[] | null
}
