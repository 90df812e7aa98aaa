/** The network between each device and the server. Every request takes time and may fail. */
import type { Random } from './random.ts'
import { createRequestJudge } from './requests.ts'
import type { SentDocument } from './requests.ts'
import type { VirtualTime } from './virtual-time.ts'

export type RequestFault = 'cut before' | 'cut after' | 'late' | 'die before' | 'die after'

export interface Line {
  /** Whether the device has a network. */
  isOnline: boolean
  /**
   * The faults of coming requests, by their place in the order of requests. 1 is the next request.
   */
  readonly faults: Map<number, RequestFault>
  readonly isOn: () => boolean
  /** Kills the device. Returns false when its faults were cancelled meanwhile; the request then goes on. */
  readonly die: () => boolean
}

/** A write that the server has accepted. */
export interface Write {
  readonly method: string
  readonly collection: string
  /** The documents as they are stored now, or the one that was deleted. */
  readonly documents: readonly (SentDocument & { readonly document: unknown })[]
}

export interface NetworkOptions {
  readonly time: VirtualTime
  readonly random: Random
  readonly onWrite: (from: Line, write: Write) => void
  readonly onRequest: (from: Line, said: string) => void
  /** Receives in words what no request may do. */
  readonly onViolation: (violation: string) => void
}

/** What a device asks: in words, and the documents that it sends. */
interface Asked {
  readonly said: string
  readonly documents?: readonly SentDocument[]
}

/**
 * The delay of a late answer. The device times out before the slowest ones arrive, and receives the
 * others.
 */
const LATE_MILLISECONDS = [5_500, 18_000] as const
const LATENCY_MILLISECONDS = [20, 150] as const
/** When a late answer has arrived, from its request on. */
const LATEST_MILLISECONDS = LATENCY_MILLISECONDS[1] + LATE_MILLISECONDS[1]

export type Network = ReturnType<typeof createNetwork>

/** Connects devices with the server, each under its own host. */
export function createNetwork(options: NetworkOptions) {
  const { time, random, onWrite, onRequest, onViolation } = options
  const lines = new Map<string, Line>()
  const requests = createRequestJudge(onViolation)
  let lateUntil = 0

  return {
    time,
    /** Returns when the last late answer arrives. Its device asks nothing more until then. */
    lateUntil: () => lateUntil,
    connect: (host: string, line: Line) => void lines.set(host, line),
    request,
    noteWrite,
    /** Forgets what is stored, because the server was changed without a request. */
    forgetAnswers: () => requests.forget(),
  }

  /**
   * Carries a request of a device to `answer`, and the answer back. Rejects as `fetch` does when one of them
   * does not arrive. A device without power hears nothing.
   */
  function request<T>(
    host: string,
    { said, documents = [] }: Asked,
    answer: (from: Line) => Promise<T>,
  ): Promise<T> {
    const line = lines.get(host)
    if (!line?.isOn()) return new Promise(() => undefined)
    const fault = nextFault(line)
    if (!line.isOnline) return Promise.reject(cutOff())
    if (fault === 'late') lateUntil = Math.max(lateUntil, time.now() + LATEST_MILLISECONDS)
    onRequest(line, `${said} ${fault ?? ''}`)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const later = (work: () => void, milliseconds = random.between(...LATENCY_MILLISECONDS)) =>
      void time.schedule(() => {
        if (line.isOn()) work()
      }, milliseconds)
    requests.asked(host, time.now())
    requests.sent(documents)
    time.schedule(
      () => {
        // A request that left a dying device reaches the server, unless the request was cut.
        if (fault === 'die before' && line.isOn() && line.die()) return
        if (fault === 'cut before' || !line.isOnline) return later(() => reject(cutOff()))
        const end = time.begin()
        const settled = (how: () => void) => {
          end()
          if (fault === 'die after' && line.isOn() && line.die()) return
          if (fault === 'cut after') return later(() => reject(cutOff()))
          const hear = () => (line.isOnline ? how() : reject(cutOff()))
          if (fault !== 'late') return later(hear)
          later(hear, random.between(...LATE_MILLISECONDS))
        }
        answer(line).then(
          (value) => settled(() => resolve(value)),
          (error: unknown) => settled(() => reject(error)),
        )
      },
      random.between(...LATENCY_MILLISECONDS),
    )
    return promise
  }

  /** Judges a write that the server has accepted, and tells it. */
  function noteWrite(from: Line, write: Write): void {
    const { method, collection, documents } = write
    if (method === 'DELETE') requests.forget(collection, documents[0]?.id)
    else requests.stored(collection, documents)
    onWrite(from, write)
  }
}

function nextFault(line: Line): RequestFault | null {
  if (line.faults.size === 0) return null
  const faults = [...line.faults].map(([request, fault]) => [request - 1, fault] as const)
  line.faults.clear()
  let next: RequestFault | null = null
  for (const [request, fault] of faults) {
    if (request > 0) line.faults.set(request, fault)
    else next = fault
  }
  return next
}

function cutOff(): TypeError {
  return new TypeError('Failed to fetch')
}
