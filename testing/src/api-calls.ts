/** A successful call of every route of the API for programs, in an order in which they succeed. */
import { expect } from 'vitest'
import type { Program } from './test-app.ts'

const CALLS = [
  ['GET', '/keys/current'],
  ['POST', '/start', { task: 'Write report', note: '#acme' }],
  ['GET', '/now'],
  ['POST', '/pause'],
  ['POST', '/resume'],
  ['POST', '/toggle'],
  ['POST', '/start', { line: 'call Ann #acme' }],
  ['POST', '/stop'],
  ['POST', '/sessions', { task: 'call', start: '9:00', end: '10:30' }],
  ['GET', '/sessions?filter=call&limit=1'],
  ['GET', '/sessions.csv?filter=call&separator=semicolon'],
  ['GET', '/total?period=today&by=task'],
  ['GET', '/total?filter=%23acme'],
  ['GET', '/balance?period=this%20month&by=day'],
  ['GET', '/balance.csv?duration=seconds'],
  ['GET', '/timesheet?period=today&step=15&direction=up&per=line'],
  ['GET', '/timesheet.csv?period=today&group=task'],
  ['POST', '/timesheets', { period: 'today', step: 15 }],
  ['GET', '/timesheets'],
  ['GET', '/timesheets/:sheetId'],
  ['DELETE', '/timesheets/:sheetId'],
  ['GET', '/rates'],
  ['GET', '/targets'],
  ['GET', '/tasks?q=call'],
] as const

const ZONE = 'Europe/Berlin'

/**
 * Calls every route in the zone of Berlin, writes with an `Idempotency-Key` each.
 * @returns the routes that were called: 'GET /v1/stint/now'.
 */
export async function callEveryRoute(program: Program): Promise<Set<string>> {
  const used = new Set<string>()
  let sealed = ''
  for (const [index, [method, named, body]] of CALLS.entries()) {
    const path = named.replace(':sheetId', sealed)
    const [route = '', query = ''] = path.split('?')
    const reply =
      method === 'GET'
        ? await program(method, `${route}?timeZone=${ZONE}&${query}`)
        : await program(
            method,
            path,
            { ...body, timeZone: ZONE },
            { 'idempotency-key': `call ${index}` },
          )
    expect({ path, status: reply.status, message: reply.body.message }).toEqual({
      path,
      status: expect.toSatisfy((status: number) => status < 300, 'success'),
      message: undefined,
    })
    if (named === '/timesheets' && method === 'POST') sealed = reply.body.sheet.id
    used.add(`${method} /v1/stint${named.split('?')[0]}`)
  }
  return used
}
