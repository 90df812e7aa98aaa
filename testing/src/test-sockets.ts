/** Sockets for tests, whose messages can be awaited one by one. */
import { WebSocket } from 'ws'
import type { TestApp } from './test-app.ts'

interface Browser {
  readonly cookies: Map<string, string>
}

export interface TestSocketMessage {
  type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever came
  data: any
}

export type TestSocket = Awaited<ReturnType<ReturnType<typeof testSockets>['connect']>>

/**
 * Returns functions that open sockets. Call `closeAll` at the end of the test. The server must be
 * listening.
 */
export function testSockets() {
  const sockets: WebSocket[] = []

  /** @param browser the browser whose cookies are sent; null: a guest. */
  async function connect(
    server: TestApp,
    browser: Browser | null,
    {
      query = 'project=stint',
      ...headers
    }: { query?: string; [header: string]: string | undefined } = {},
  ) {
    const url = `${server.app.listeningOrigin.replace('http', 'ws')}/v1/realtime?${query}`
    const cookie = [...(browser?.cookies ?? [])].map((pair) => pair.join('=')).join('; ')
    const socket = new WebSocket(url, { headers: { cookie, ...headers } })
    sockets.push(socket)
    const waiting: ((message: TestSocketMessage) => void)[] = []
    const arrived: TestSocketMessage[] = []
    socket.on('message', (bytes) => {
      const message: TestSocketMessage = JSON.parse(Buffer.isBuffer(bytes) ? bytes.toString() : '')
      const next = waiting.shift()
      if (next === undefined) arrived.push(message)
      else next(message)
    })
    const closed = new Promise<number>((done) => socket.on('close', done))
    await new Promise((done, fail) => {
      socket.on('open', done)
      socket.on('error', fail)
    })
    return {
      closed,
      close: () => socket.close(),
      send: (message: unknown) => socket.send(JSON.stringify(message)),
      raw: (text: string) => socket.send(text),
      stopReading: () => socket.pause(),
      readOn: () => socket.resume(),
      next(): Promise<TestSocketMessage> {
        const message = arrived.shift()
        return message === undefined
          ? new Promise((done) => void waiting.push(done))
          : Promise.resolve(message)
      },
    }
  }

  return {
    connect,
    /** Returns a socket that is subscribed under the id `s1`. */
    async subscribed(
      server: TestApp,
      browser: Browser | null,
      channels: readonly string[],
      queries: readonly string[] = [],
    ) {
      const socket = await connect(server, browser)
      await socket.next()
      socket.send({ type: 'subscribe', data: [{ subscriptionId: 's1', channels, queries }] })
      await socket.next()
      return socket
    },
    closeAll(): void {
      for (const socket of sockets.splice(0)) socket.terminate()
    },
  }
}
