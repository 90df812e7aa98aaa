/** The parameters of the API for programs. */
import { Type } from 'typebox'
import { description } from '#errors.ts'
import { existingId, optional, text } from '#http/params.ts'
import { GROUPINGS } from './reports.ts'

export const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500

const zone = Type.With(text(1, 64), {
  description: 'for example Europe/Berlin; default: that of the settings',
})
const timeZone = optional(zone)
const WHEN = 'an instant with an offset, or a time like `9:05` or `10m ago`'
const moment = Type.With(text(1, 64), { description: WHEN })
const at = optional(Type.With(text(1, 64), { description: `${WHEN}; default: now` }))
const note = optional(text(0, 2000))
const taskName = optional(
  Type.With(text(1, 255), { description: 'the name of a task, which is created if none fits' }),
)
const taskId = optional(existingId)
const newTask = optional(
  Type.With(text(1, 255), {
    description: 'the name of a task to create, if none has exactly this name',
  }),
)
const filter = Type.Optional(
  Type.With(text(0, 500), { description: 'as on the page Sessions: `#acme last month >2h`' }),
)

export const ZONE_QUERY = Type.Object({ timeZone: Type.Optional(zone) })

export const START = Type.Object({
  task: taskName,
  taskId,
  newTask,
  line: optional(
    Type.With(text(1, 500), { description: 'as typed in the app: `call Ann #acme 10m ago`' }),
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
  start: optional(moment),
  end: optional(moment),
  line: optional(
    Type.With(text(1, 500), { description: 'as typed in the app: `9-10:30 Call Ann`' }),
  ),
  note,
  timeZone,
})

export const FIND = Type.Object({
  filter,
  limit: Type.Optional(
    Type.Decode(
      Type.Refine(
        Type.String({
          pattern: '^[1-9][0-9]{0,2}$',
          description: `1 to ${MAX_LIMIT}; default: ${DEFAULT_LIMIT}`,
          refusal: description('count', { min: 1, max: MAX_LIMIT }),
        }),
        (value) => Number(value) <= MAX_LIMIT,
      ),
      Number,
    ),
  ),
  cursor: Type.Optional(Type.With(text(1, 64), { description: 'the `next` of the answer before' })),
  timeZone: Type.Optional(zone),
})

export const SUM_UP = Type.Object({
  period: Type.Optional(
    Type.With(text(1, 64), { description: 'today, this week, last month, 2026-03, 14 march' }),
  ),
  from: Type.Optional(Type.With(text(1, 10), { description: 'the first day: 2026-03-01' })),
  to: Type.Optional(Type.With(text(1, 10), { description: 'the last day; default: today' })),
  filter,
  by: Type.Optional(
    Type.Enum([...GROUPINGS], {
      description: GROUPINGS.join(', '),
      refusal: description('one_of', { values: GROUPINGS.join(', ') }),
    }),
  ),
  timeZone: Type.Optional(zone),
})

export const FIND_TASKS = Type.Object({
  q: Type.Optional(Type.With(text(0, 255), { description: 'a part of the name' })),
})

export const IDEMPOTENCY = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({ description: 'a name for the call, which is then carried out once' }),
  ),
})
