/** All attacks. */
import { countedCalls, ownSignIns, recoveries } from './account-attacks.ts'
import type { Attack } from './attack.ts'
import { costlyCalls } from './costly-calls.ts'
import { bulkWrites, diskFiller } from './document-attacks.ts'
import { newShapes, textFilters } from './list-attacks.ts'
import { slowClients, unreadAnswers } from './slow-attacks.ts'
import { costlyEvents, guestSockets, socketsOfOnePerson } from './socket-attacks.ts'

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'guest-sockets': guestSockets,
  'own-sockets': socketsOfOnePerson,
  'costly-events': costlyEvents,
  'text-filters': textFilters,
  'new-shapes': newShapes,
  recoveries,
  'own-sign-ins': ownSignIns,
  'counted-calls': countedCalls,
  'disk-filler': diskFiller,
  'bulk-writes': bulkWrites,
  'costly-calls': costlyCalls,
  'slow-clients': slowClients,
  'unread-answers': unreadAnswers,
}
