/** A name server on loopback, for tests of what waits for DNS. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const HEADER = 12
const ADDRESS_TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 }
const NO_SUCH_NAME = 3

export interface TestDns {
  /** Address and port, for `setServers`. */
  readonly address: string
  /** Each query that came: its name, and 4 or 6. */
  readonly queries: readonly { readonly name: string; readonly family: number }[]
  close(): Promise<void>
}

/**
 * Starts a name server.
 * @param answers the IPv4 and the IPv6 addresses of a name, bytes of IPv6 as in `Buffer.from`; null: no answer, ever.
 * Undefined: there is no such name.
 */
export async function startTestDns(
  answers: (
    name: string,
  ) => { readonly 4?: number[][]; readonly 6?: number[][] } | null | undefined,
): Promise<TestDns> {
  const queries: { name: string; family: number }[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, sender) => {
    const end = query.indexOf(0, HEADER) + 1
    const name = nameIn(query.subarray(HEADER, end))
    const family = ADDRESS_TYPES[query.readUInt16BE(end)] ?? 0
    queries.push({ name, family })
    const found = answers(name)
    if (found === null) return
    const addresses = family === 0 ? [] : (found?.[family] ?? [])
    const header = Buffer.from(query.subarray(0, HEADER))
    header.writeUInt16BE(0x8180 | (found === undefined ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(addresses.length, 6)
    header.fill(0, 8)
    const records = addresses.flatMap((bytes) => {
      const fixed = Buffer.alloc(12)
      // A pointer to the name of the question.
      fixed.writeUInt16BE(0xc000 | HEADER, 0)
      fixed.writeUInt16BE(query.readUInt16BE(end), 2)
      fixed.writeUInt16BE(1, 4)
      fixed.writeUInt32BE(60, 6)
      fixed.writeUInt16BE(bytes.length, 10)
      return [fixed, Buffer.from(bytes)]
    })
    const answer = Buffer.concat([header, query.subarray(HEADER, end + 4), ...records])
    socket.send(answer, sender.port, sender.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function nameIn(labels: Buffer): string {
  const names: string[] = []
  for (let at = 0; labels[at] !== 0;) {
    const length = labels[at] ?? 0
    names.push(labels.subarray(at + 1, at + 1 + length).toString())
    at += 1 + length
  }
  return names.join('.')
}
