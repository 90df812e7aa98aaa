/** Every attack there is. */
import { countedCalls, recoveries } from './account-attacks.ts'
import type { Attack } from './attack.ts'
import { diskFiller, ownDevices } from './document-attacks.ts'
import { newShapes, textFilters } from './list-attacks.ts'
import { slowClients } from './slow-attacks.ts'
import { guestSockets, socketsOfOnePerson, unreadSockets } from './socket-attacks.ts'

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'guest-sockets': guestSockets,
  'own-sockets': socketsOfOnePerson,
  'unread-sockets': unreadSockets,
  'text-filters': textFilters,
  'new-shapes': newShapes,
  recoveries,
  'counted-calls': countedCalls,
  'disk-filler': diskFiller,
  'own-devices': ownDevices,
  'slow-clients': slowClients,
}
