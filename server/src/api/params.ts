/** The parameters of the API for programs. */
import { BALANCE_PERIODS } from '@stint/core/balance/balance.ts'
import { CSV_DECIMALS, CSV_DURATIONS, CSV_SEPARATORS } from '@stint/core/transfer/csv-form.ts'
import type { CsvForm } from '@stint/core/transfer/csv-form.ts'
import { SESSION_CSV_FORM } from '@stint/core/transfer/session-csv.ts'
import {
  ROUNDED_UNITS,
  ROUNDING_DIRECTIONS,
  ROUNDING_STEPS,
} from '@stint/core/timesheet/rounding.ts'
import { SHEET_GROUPS } from '@stint/core/timesheet/timesheet.ts'
import { Type } from 'typebox'
import { description } from '#errors.ts'
import { existingId, optional, text } from '#http/params.ts'
import { GROUPINGS } from './reports.ts'

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 500

const zone = Type.With(text(1, 64), {
  description: 'for example Europe/Berlin; default: that of the settings',
})
const timeZone = optional(zone)
const WHEN = 'an instant with an offset, or a time like `9:05` or `10m ago`'
const moment = Type.With(text(1, 64), { description: WHEN })
const at = optional(Type.With(text(1, 64), { description: `${WHEN}; default: now` }))
const note = optional(text(0, 2000))
const billable = optional(
  Type.With(Type.Boolean(), { description: 'default: as the category of the task is' }),
)
const taskName = optional(
  Type.With(text(1, 255), { description: 'the name of a task, which is created if none fits' }),
)
const taskId = optional(existingId)
const category = optional(
  Type.With(text(1, 64), { description: 'the category of `task` or `newTask`' }),
)
const newTask = optional(
  Type.With(text(1, 255), {
    description: 'the name of a task to create, if none has exactly this name',
  }),
)
const filter = Type.Optional(
  Type.With(text(0, 500), {
    description: 'as on the page Sessions: `@acme last month >2h`, or the name of a saved one',
  }),
)

export const ZONE_QUERY = Type.Object({ timeZone: Type.Optional(zone) })

export const START = Type.Object({
  task: taskName,
  taskId,
  newTask,
  category,
  line: optional(
    Type.With(text(1, 500), { description: 'as typed in the app: `call Ann @acme 10m ago`' }),
  ),
  at,
  note,
  timeZone,
})

export const PRESS = Type.Object({ at, timeZone })

export const NEW_SESSION = Type.Object({
  task: taskName,
  taskId,
  newTask,
  category,
  start: optional(moment),
  end: optional(moment),
  line: optional(
    Type.With(text(1, 500), { description: 'as typed in the app: `9-10:30 Call Ann`' }),
  ),
  note,
  billable,
  timeZone,
})

export const FIND = Type.Object({
  filter,
  limit: Type.Optional(pageLength(DEFAULT_LIMIT)),
  cursor: Type.Optional(Type.With(text(1, 64), { description: 'the `next` of the answer before' })),
  timeZone: Type.Optional(zone),
})

const { separator, decimal, duration } = SESSION_CSV_FORM

const CSV_OF = {
  separator: Type.Optional(oneOf(CSV_SEPARATORS, separator)),
  decimal: Type.Optional(oneOf(CSV_DECIMALS, decimal)),
  duration: Type.Optional(oneOf(CSV_DURATIONS, duration)),
}

/** Returns the form of a file. What a query leaves open is as usual. */
export function formOf(query: { readonly [K in keyof CsvForm]?: CsvForm[K] | undefined }): CsvForm {
  return {
    separator: query.separator ?? separator,
    decimal: query.decimal ?? decimal,
    duration: query.duration ?? duration,
  }
}

export const FIND_CSV = Type.Object({
  ...FIND.properties,
  limit: Type.Optional(pageLength(MAX_LIMIT)),
  ...CSV_OF,
})

export const SUM_UP = Type.Object({
  period: Type.Optional(
    Type.With(text(1, 64), {
      description: 'today, last 30 days, since monday, 3-17 nov, 2026-03, Q3',
    }),
  ),
  from: Type.Optional(Type.With(text(1, 10), { description: 'the first day: 2026-03-01' })),
  to: Type.Optional(
    Type.With(text(1, 10), { description: 'the last day, not before `from`; default: today' }),
  ),
  filter,
  by: Type.Optional(oneOf(GROUPINGS)),
  timeZone: Type.Optional(zone),
})

export const BALANCE_OF = Type.Object({
  period: SUM_UP.properties.period,
  from: SUM_UP.properties.from,
  to: SUM_UP.properties.to,
  by: Type.Optional(oneOf(BALANCE_PERIODS)),
  timeZone: Type.Optional(zone),
})

/** The file is by day. */
export const BALANCE_CSV = Type.Object({ timeZone: Type.Optional(zone), ...CSV_OF })

const CHOSEN = 'default: as chosen in the app'

export const SHEET_OF = Type.Object({
  period: Type.Optional(
    Type.With(SUM_UP.properties.period, {
      description: 'last month, 3-17 nov, 2026-03; default: this month',
    }),
  ),
  from: SUM_UP.properties.from,
  to: SUM_UP.properties.to,
  filter,
  step: Type.Optional(Type.Decode(oneOf(ROUNDING_STEPS.map(String), undefined, 'minutes'), stepOf)),
  direction: Type.Optional(oneOf(ROUNDING_DIRECTIONS, undefined, CHOSEN)),
  per: Type.Optional(oneOf(ROUNDED_UNITS, undefined, CHOSEN)),
  billable: Type.Optional(oneOf(['only', 'all'], undefined, CHOSEN)),
  timeZone: Type.Optional(zone),
})

export const SHEET_PARAMS = Type.Object({ sheetId: existingId })

/** What a program seals. Numbers may be texts, as in a query. */
export const SEAL = Type.Object({
  period: optional(SHEET_OF.properties.period),
  from: optional(SHEET_OF.properties.from),
  to: optional(SHEET_OF.properties.to),
  filter: optional(SHEET_OF.properties.filter),
  step: optional(
    Type.Decode(
      Type.Enum([...ROUNDING_STEPS, ...ROUNDING_STEPS.map(String)], {
        description: `${ROUNDING_STEPS.join(', ')}; minutes`,
        refusal: description('one_of', { values: ROUNDING_STEPS.join(', ') }),
      }),
      (step) => stepOf(String(step)),
    ),
  ),
  direction: optional(oneOf(ROUNDING_DIRECTIONS, undefined, CHOSEN)),
  per: optional(oneOf(ROUNDED_UNITS, undefined, CHOSEN)),
  billable: optional(oneOf(['only', 'all'], undefined, CHOSEN)),
  again: optional(
    Type.With(Type.Boolean(), {
      description: 'seals sessions that are on a sealed timesheet with these days; default: false',
    }),
  ),
  timeZone,
})

function stepOf(text: string): (typeof ROUNDING_STEPS)[number] {
  return ROUNDING_STEPS.find((step) => String(step) === text) ?? 0
}

export const SHEET_CSV = Type.Object({
  ...SHEET_OF.properties,
  group: Type.Optional(oneOf(SHEET_GROUPS, 'day')),
  ...CSV_OF,
})

export const FIND_TASKS = Type.Object({
  q: Type.Optional(Type.With(text(0, 255), { description: 'a part of the name, or `@category`' })),
})

export const IDEMPOTENCY = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({ description: 'a name for the call, which is then carried out once' }),
  ),
})

function pageLength(usual: number) {
  return Type.Decode(
    Type.Refine(
      Type.String({
        pattern: '^[1-9][0-9]{0,2}$',
        description: `1 to ${MAX_LIMIT}; default: ${usual}`,
        refusal: description('count', { min: 1, max: MAX_LIMIT }),
      }),
      (value) => Number(value) <= MAX_LIMIT,
    ),
    Number,
  )
}

/** Returns a choice of words; `usual` is the one without it, `about` more about it. */
function oneOf<const Word extends string>(words: readonly Word[], usual?: Word, about = '') {
  const values = words.join(', ')
  const notes = [values, ...(usual === undefined ? [] : [`default: ${usual}`]), about]
  return Type.Enum<Word[]>([...words], {
    description: notes.filter((note) => note !== '').join('; '),
    refusal: description('one_of', { values }),
  })
}
