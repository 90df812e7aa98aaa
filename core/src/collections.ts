/**
 * The three collections of the backend, with their attributes and defaults. The server validates
 * documents against this table, the web app derives its document types from it, and `npm run api`
 * writes `appwrite.config.json` from it, for an Appwrite server.
 */

export const PROJECT_ID = 'stint'
export const DATABASE_ID = 'stint'

interface StringAttribute {
  readonly type: 'string'
  readonly required: boolean
  /** Maximum length, in characters. */
  readonly size: number
  readonly default?: string
}
interface NumberAttribute {
  readonly type: 'integer' | 'double'
  readonly required: boolean
  readonly min: number
  readonly max: number
  readonly default?: number
}
interface BooleanAttribute {
  readonly type: 'boolean'
  readonly required: boolean
  readonly default?: boolean
}
interface DatetimeAttribute {
  readonly type: 'datetime'
  readonly required: boolean
}
export type Attribute = StringAttribute | NumberAttribute | BooleanAttribute | DatetimeAttribute

/** The longest span that may be stored: a year. A longer one comes from a broken client. */
export const MAX_DURATION_SECONDS = 31_536_000

const ID_SIZE = 36
/** The events of a session (docs/log.md). A session with two pauses has about 300 characters. */
const LOG_SIZE = 65_535
/** The marks of sealed timesheets (timesheet/seals.ts), of some 100 characters each. */
const INVOICED_SIZE = 4096

export const COLLECTIONS = {
  tasks: {
    name: { type: 'string', required: true, size: 255 },
    userId: { type: 'string', required: true, size: ID_SIZE },
    isActive: { type: 'boolean', required: false, default: true },
    category: { type: 'string', required: false, size: 64, default: 'Development' },
    goalHours: { type: 'double', required: false, min: 0, max: 1000, default: 8 },
    totalTime: { type: 'integer', required: false, min: 0, max: 2_147_483_647, default: 0 },
    todayTime: { type: 'integer', required: false, min: 0, max: 2_147_483_647, default: 0 },
    color: { type: 'string', required: false, size: 64, default: 'bg-blue-500' },
  },
  timer_sessions: {
    taskId: { type: 'string', required: true, size: ID_SIZE },
    userId: { type: 'string', required: true, size: ID_SIZE },
    startTime: { type: 'datetime', required: false },
    isRunning: { type: 'boolean', required: false, default: true },
    isPaused: { type: 'boolean', required: false, default: false },
    currentPauseStart: { type: 'datetime', required: false },
    pauseDurationSeconds: {
      type: 'integer',
      required: false,
      min: 0,
      max: MAX_DURATION_SECONDS,
      default: 0,
    },
    endTime: { type: 'datetime', required: false },
    pauses: { type: 'string', required: false, size: 65_535 },
    device: { type: 'string', required: false, size: 64 },
    note: { type: 'string', required: false, size: 2000 },
    log: { type: 'string', required: false, size: LOG_SIZE },
  },
  time_entries: {
    taskId: { type: 'string', required: true, size: ID_SIZE },
    userId: { type: 'string', required: true, size: ID_SIZE },
    startTime: { type: 'datetime', required: true },
    endTime: { type: 'datetime', required: true },
    entryType: { type: 'string', required: false, size: 32, default: 'timer' },
    durationSeconds: { type: 'integer', required: true, min: 0, max: MAX_DURATION_SECONDS },
    date: { type: 'datetime', required: false },
    sessionId: { type: 'string', required: false, size: ID_SIZE },
    pauses: { type: 'string', required: false, size: 65_535 },
    note: { type: 'string', required: false, size: 2000 },
    deletedAt: { type: 'datetime', required: false },
    log: { type: 'string', required: false, size: LOG_SIZE },
    billable: { type: 'boolean', required: false },
    invoiced: { type: 'string', required: false, size: INVOICED_SIZE },
  },
} as const satisfies Record<string, Record<string, Attribute>>

export type CollectionId = keyof typeof COLLECTIONS

export const COLLECTION_IDS = [
  'tasks',
  'timer_sessions',
  'time_entries',
] as const satisfies readonly CollectionId[]

type AttributeValue<A extends Attribute> = A extends { type: 'string' | 'datetime' }
  ? string
  : A extends { type: 'boolean' }
    ? boolean
    : number

/**
 * The attributes of a stored document. Those that are required or have a default are never null.
 */
export type Attributes<C extends CollectionId> = {
  [K in keyof (typeof COLLECTIONS)[C]]: (typeof COLLECTIONS)[C][K] extends infer A extends Attribute
    ? A extends { required: true } | { default: unknown }
      ? AttributeValue<A>
      : AttributeValue<A> | null
    : never
}

/** What a client sends to create a document. Attributes that are not required may be left out. */
export type NewAttributes<C extends CollectionId> = {
  [
    K in keyof (typeof COLLECTIONS)[C] as (typeof COLLECTIONS)[C][K] extends { required: true }
      ? K
      : never
  ]: AttributeValue<(typeof COLLECTIONS)[C][K] & Attribute>
} & {
  [
    K in keyof (typeof COLLECTIONS)[C] as (typeof COLLECTIONS)[C][K] extends { required: true }
      ? never
      : K
  ]?: AttributeValue<(typeof COLLECTIONS)[C][K] & Attribute> | null
}

/** The fields the backend adds to every document. */
export type SystemFields = {
  $id: string
  $sequence: string
  $createdAt: string
  $updatedAt: string
  $permissions: string[]
  $databaseId: string
  $collectionId: string
  /**
   * The attributes that the backend's project lacks, set where a document is read. Backends send every
   * attribute of their project, also those without a value.
   */
  $missing?: string[]
}

export type DocumentOf<C extends CollectionId> = SystemFields & Attributes<C>
export type TaskDocument = DocumentOf<'tasks'>
export type TimerSessionDocument = DocumentOf<'timer_sessions'>
export type TimeEntryDocument = DocumentOf<'time_entries'>
