/** A backend that is loaded at its first call, so that the first paint does not wait for the SDK. */
import type { Backend, Subscription } from './backend.ts'
import type { BackendConfig } from './config.ts'
import { BackendError } from './errors.ts'
import { untilLoaded } from '#loading/until-loaded.ts'

/**
 * Returns a backend that forwards every call to the one that `load` returns for `config`. `load` runs
 * at the first call.
 */
export function lazyBackend(
  config: BackendConfig,
  load: (config: BackendConfig) => Promise<Backend>,
): Backend {
  let loading: Promise<Backend> | null = null
  const backend = (): Promise<Backend> => {
    // A failed load, as when offline, is retried at the next call.
    loading ??= load(config).catch(() => {
      loading = null
      throw new BackendError('unreachable', 'Part of the app couldn’t load.')
    })
    return loading
  }
  return {
    ownServer: config.ownServer,
    currentUser: async () => (await backend()).currentUser(),
    signUp: async (...input) => (await backend()).signUp(...input),
    signUpWithPasskey: async (...input) => (await backend()).signUpWithPasskey(...input),
    signInWithPasskey: async (...input) => (await backend()).signInWithPasskey(...input),
    signInByProxy: async (...input) => (await backend()).signInByProxy(...input),
    beginProviderSignIn: async (...input) => (await backend()).beginProviderSignIn(...input),
    signIn: async (...input) => (await backend()).signIn(...input),
    signOut: async (...input) => (await backend()).signOut(...input),
    requestRecovery: async (...input) => (await backend()).requestRecovery(...input),
    resetPassword: async (...input) => (await backend()).resetPassword(...input),
    verifyEmail: async (...input) => (await backend()).verifyEmail(...input),
    account: async () => (await backend()).account(),
    prefs: async () => (await backend()).prefs(),
    savePrefs: async (...input) => (await backend()).savePrefs(...input),
    serverInfo: async () => (await backend()).serverInfo(),
    list: async (...input) => (await backend()).list(...input),
    create: async (...input) => (await backend()).create(...input),
    update: async (...input) => (await backend()).update(...input),
    saveTogether: async (collection, documents) =>
      (await backend()).saveTogether(collection, documents),
    delete: async (...input) => (await backend()).delete(...input),
    subscribe(handlers) {
      let subscription: Subscription | null = null
      const closing = new AbortController()
      // Every other call reports a failure, and each sync pulls what the missed events announced.
      void untilLoaded(backend, closing).then((loaded) => {
        subscription = loaded.subscribe(handlers)
      })
      return {
        close() {
          closing.abort()
          subscription?.close()
        },
      }
    },
  }
}
