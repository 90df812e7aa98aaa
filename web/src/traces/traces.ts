/** The traces of the signed-in user, for the page: calls to the worker that has them. */
import { t } from '@stint/core/text.ts'

import { createStore } from '#record/create-store.ts'
import type { Store } from '#record/create-store.ts'
import type { KeptTraces, Summary } from './kept-traces.ts'

type Method = keyof KeptTraces

export interface ToWorker {
  readonly job: number
  readonly userId: string
  readonly method: Method
  readonly input: readonly unknown[]
}

export type FromWorker = { readonly job: number } & (
  | { readonly value: unknown }
  | { readonly error: string }
)

type Input<M extends Method> = Parameters<KeptTraces[M]>
type Answer<M extends Method> = ReturnType<KeptTraces[M]>

export interface Traces {
  /** A new value after each change; null until it is read. An error says that this browser keeps none. */
  readonly kept: Store<Summary | Error | null>
  /** Calls a method that changes nothing of `kept`. Rejects with the sentence that it throws. */
  readonly ask: <M extends Method>(method: M, ...input: Input<M>) => Answer<M>
  /** Calls a method, and reads `kept` again, in every tab. */
  readonly change: <M extends Method>(method: M, ...input: Input<M>) => Answer<M>
}

let current: { readonly userId: string; readonly traces: Traces } | null = null

/** Returns the traces of a user. The worker starts at the first call and ends with the page. */
export function tracesOf(userId: string): Traces {
  if (current?.userId !== userId) current = { userId, traces: startTraces(userId) }
  return current.traces
}

function startTraces(userId: string): Traces {
  const worker = new Worker(new URL('./traces-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const kept = createStore<Summary | Error | null>(null)
  const tabs = new BroadcastChannel(`stint traces ${userId}`)
  let jobs = 0

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    const call = waiting.get(data.job)
    waiting.delete(data.job)
    if ('error' in data) call?.reject(new Error(data.error))
    else call?.resolve(data.value)
  })
  worker.addEventListener('error', () => {
    for (const call of waiting.values()) call.reject(new Error(FAILED))
    waiting.clear()
  })
  tabs.addEventListener('message', () => void ask('reload').then(refresh))

  function ask<M extends Method>(method: M, ...input: Input<M>): Answer<M> {
    jobs += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(jobs, answer)
    worker.postMessage({ job: jobs, userId, method, input } satisfies ToWorker, [])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker answers with what the method returns
    return answer.promise as Answer<M>
  }

  async function refresh(): Promise<void> {
    kept.set(await ask('summary').catch(() => new Error(FAILED)))
  }

  async function refreshAfter(changing: Promise<unknown>): Promise<unknown> {
    const value = await changing
    await refresh()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    tabs.postMessage(null)
    return value
  }

  void refresh()
  return {
    kept,
    ask,
    change: <M extends Method>(method: M, ...input: Input<M>) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it resolves with the same value
      refreshAfter(ask(method, ...input)) as Answer<M>,
  }
}

const FAILED = t('This browser can’t keep what it reads.')
