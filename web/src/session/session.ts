/**
 * Who is signed in. A known user is signed in at once from this browser's storage, and the backend is
 * asked in the background. Only its answer signs the user out, never a missing one.
 */
import type { AccountCalls, PasskeySignIn, ServerInfo, User } from '#backend/backend.ts'
import { asBackendError, BackendError } from '#backend/errors.ts'
import { createStore } from '#record/create-store.ts'
import type { Store, WritableStore } from '#record/create-store.ts'
import { untilLoaded } from '#loading/until-loaded.ts'

import { DeviceDb } from './device-db.ts'
import { createGuest } from './guest.ts'
import { forgetInvite, keptInvite } from './invite.ts'
import type { OpenDependencies } from './open-user.ts'
import type { GuestOffer, SessionState, SignedIn, SignedOut } from './session-state.ts'
import { createSignOut } from './sign-out.ts'

export interface Session {
  readonly state: Store<SessionState>
  /**
   * Finds out who is signed in. Without a sign of an earlier sign-in, the backend is asked only if
   * `needed` (a signed-in route is open), as the browser would log a 401 on the sign-in page. `isHinted`: a cookie
   * says that somebody is signed in, who comes before a record without an account.
   */
  start(needed: boolean, isHinted?: boolean): Promise<void>
  /** Opens the record of this browser that has no account, and makes one if there is none. */
  tryOut(): Promise<void>
  /** Leaves the record without an account. It stays in this browser, unless `deletes`. */
  leaveGuest(input: { deletes: boolean }): Promise<void>
  /** Returns whether this browser has a record without an account. Without usable storage it has none. */
  hasGuest(): Promise<boolean>
  /** Returns what this browser's record without an account could add to the one that is open, or null. */
  guestOffer(): Promise<GuestOffer | null>
  /** Rejects with BackendError. */
  signIn(input: {
    email: string
    password: string
    rememberMe: boolean
    code?: string | undefined
  }): Promise<void>
  /** Signs in with a passkey. Rejects with BackendError. */
  signInWithPasskey(input: PasskeySignIn): Promise<void>
  /** Creates an account with a passkey, and signs in. Rejects with BackendError. */
  signUpWithPasskey(input: { name: string; email: string; passkeyName: string }): Promise<void>
  /** Signs in the person whom the proxy in front has signed in. Rejects with BackendError. */
  signInByProxy(): Promise<void>
  /**
   * Prepares this browser for a sign-in at the provider. Returns the provider's address. Rejects with
   * BackendError.
   */
  beginProviderSignIn(rememberMe: boolean): Promise<string>
  /** Creates the account, then signs in. Rejects with BackendError. */
  signUp(input: { name: string; email: string; password: string }): Promise<void>
  /**
   * Ends all of the user's sign-ins, or only this device's. Works offline; the backend is told later.
   */
  signOut(input?: { thisDeviceOnly: boolean }): Promise<void>
  /** Returns the account calls. Rejects with BackendError. */
  account(): Promise<AccountCalls>
  /** Updates the stored user after a change of name or address. */
  changeUser(user: User): Promise<void>
  /**
   * Removes all of the user's data from this browser, unsaved changes included, after the account is
   * deleted.
   */
  forgetUser(): Promise<void>
  /** The calls that work by email, signed in or not. Each rejects with BackendError. */
  requestRecovery(input: { email: string; url: string }): Promise<void>
  resetPassword(input: { userId: string; secret: string; password: string }): Promise<void>
  verifyEmail(input: { userId: string; secret: string }): Promise<void>
  serverInfo(): Promise<ServerInfo | null>
  /** Whether the backend may be Stint's own server. False in a build for a real Appwrite. */
  readonly ownServer: boolean
  /**
   * Deletes all of Stint's data in this browser but the copies, unsaved changes included. Called only on
   * the user's request, when the storage is damaged.
   */
  resetStorage(): Promise<void>
  readonly close: () => void
}

/**
 * Marks a tab as signed in, to tell a running browser from a restarted one when the sign-in is not
 * remembered.
 */
const TAB_MARKER = 'stint-signed-in'

/** Keeps 'Remember me' in this tab while it is at the provider's page. */
const REMEMBER_MARKER = 'stint-remember'

interface SessionDependencies extends OpenDependencies {
  /** Whether a proxy in front of the backend signs people in. */
  readonly isBehindProxy?: boolean
}

/** Creates the session of this browser. Nothing happens before `start`. */
export function createSession(
  dependencies: SessionDependencies,
  tabStorage: Storage = sessionStorage,
): Session {
  const { backend } = dependencies
  const device = new DeviceDb()
  const session = storeOfSession(() => isClosed)
  let watch: (() => void) | null = null
  let isClosed = false
  let hasAskedProxy = false
  let opening: { readonly userId: string; readonly done: Promise<void> } | null = null
  const signOut = createSignOut({ dependencies, device, session, leave })
  const guest = createGuest({ dependencies, device, session, show, leave })

  return {
    state: session,
    async start(needed, isHinted = false) {
      // Preloads the module. A failure is ignored, as opening the record imports it again.
      if (needed) void import('./open-user.ts').catch(() => undefined)
      try {
        await begin(needed, isHinted)
      } catch (error) {
        session.set({ status: 'no-storage', message: asBackendError(error).message })
      }
    },
    async tryOut() {
      await signOut.finish()
      if (session.get().status !== 'signed-in') await guest.open()
    },
    leaveGuest: (choice) => guest.leave(choice),
    hasGuest: () => guest.isHere(),
    guestOffer: () => guest.offer(),
    async signIn(input) {
      await signOut.finish()
      await backend.signIn(input)
      await enterUser(await backend.currentUser(), input.rememberMe)
    },
    async signInWithPasskey(input) {
      await signOut.finish()
      const isRemembered = await backend.signInWithPasskey(input)
      await enterUser(await backend.currentUser(), isRemembered)
    },
    async signUpWithPasskey(input) {
      await signOut.finish()
      await backend.signUpWithPasskey({ ...input, invite: keptInvite() })
      forgetInvite()
      await enterUser(await backend.currentUser(), true, true)
    },
    async signInByProxy() {
      await signOut.finish()
      await enterByProxy()
    },
    async beginProviderSignIn(rememberMe) {
      await signOut.finish()
      const url = await backend.beginProviderSignIn({ rememberMe, invite: keptInvite() })
      if (rememberMe) tabStorage.setItem(REMEMBER_MARKER, 'yes')
      else tabStorage.removeItem(REMEMBER_MARKER)
      return url
    },
    async signUp({ name, email, password }) {
      await signOut.finish()
      await backend.signUp({ name, email, password, invite: keptInvite() })
      forgetInvite()
      await backend.signIn({ email, password, rememberMe: true })
      await enterUser(await backend.currentUser(), true, true)
    },
    signOut: (choice) => signOut.begin(choice),
    account: () => backend.account(),
    async changeUser(user) {
      const identity = await device.identity()
      const state = session.get()
      if (state.status !== 'signed-in' || identity?.user.id !== user.id) return
      await device.put({ ...identity, user })
      session.set({ ...state, user })
    },
    async forgetUser() {
      const state = session.get()
      if (state.status !== 'signed-in') return
      const { id } = state.user
      await leave()
      const { removeUserData } = await import('./forget.ts')
      await removeUserData(id, true)
    },
    requestRecovery: (input) => backend.requestRecovery(input),
    resetPassword: (input) => backend.resetPassword(input),
    verifyEmail: (input) => backend.verifyEmail(input),
    serverInfo: () => backend.serverInfo(),
    ownServer: backend.ownServer,
    async resetStorage() {
      // An open connection would block the deletion.
      close()
      const { removeAllData } = await import('./forget.ts')
      await removeAllData()
    },
    close,
  }

  function close(): void {
    watch?.()
    const state = session.get()
    if (state.status === 'signed-in') void state.sync.close()
    isClosed = true
    device.close()
  }

  async function begin(needed: boolean, isHinted: boolean): Promise<void> {
    await device.open()
    if (await signOut.isPending()) {
      // The sign-out holds in this browser, whenever the backend learns of it.
      await leave()
      watchOtherTabs()
      void signOut.finish()
      return
    }
    const identity = await device.identity()
    watchOtherTabs()
    if (identity && (identity.remember || tabStorage.getItem(TAB_MARKER) === identity.user.id)) {
      await open(identity.user)
      void verify(identity.user)
    } else if (!identity && !isHinted && needed && (await guest.openIfAny())) {
      return
    } else if (identity || needed) {
      const isRemembered = tabStorage.getItem(REMEMBER_MARKER) !== null
      tabStorage.removeItem(REMEMBER_MARKER)
      await enterCurrentUser(isRemembered || (identity?.remember ?? false))
    } else {
      session.set({ status: 'signed-out' })
    }
  }

  /** Asks the backend who is signed in. Without an answer, the user counts as signed out. */
  async function enterCurrentUser(remember: boolean): Promise<void> {
    try {
      await enterUser(await backend.currentUser(), remember)
      forgetInvite()
    } catch (error) {
      if (!(error instanceof BackendError)) throw error
      if (error.kind === 'signed-out') await end(false)
      else await leave()
    }
  }

  /**
   * The backend says that nobody is signed in. Behind a proxy that signs people in, its person comes in
   * at the same address, without the sign-in page. `wasIn`: a sign-in has ended.
   */
  async function end(wasIn: boolean): Promise<void> {
    // Once: where the browser refuses the cookie, the backend would end each sign-in at once.
    const asksProxy = dependencies.isBehindProxy === true && !hasAskedProxy
    hasAskedProxy = true
    const signedOut = await leave(wasIn, asksProxy)
    if (!asksProxy) return
    try {
      await enterByProxy()
    } catch (error) {
      const { kind, type } = asBackendError(error)
      session.set(kind === 'unreachable' ? signedOut : { ...signedOut, refused: type })
    }
  }

  async function enterByProxy(): Promise<void> {
    await backend.signInByProxy(keptInvite())
    await enterUser(await backend.currentUser(), true)
    forgetInvite()
  }

  /** Checks a user who is already signed in. The backend's answer can still sign them out. */
  async function verify(known: User): Promise<void> {
    try {
      const user = await backend.currentUser()
      const identity = await device.identity()
      if (identity?.user.id !== known.id) return
      if (user.id === known.id) await device.put({ ...identity, user })
      else await enterUser(user, identity.remember)
    } catch (error) {
      if (asBackendError(error).kind === 'signed-out') await end(true)
    }
  }

  /** `isNew`: the account was created just now, so it has what was tracked here before, from the first screen on. */
  async function enterUser(user: User, remember: boolean, isNew = false): Promise<void> {
    if (!watch) watchOtherTabs()
    await device.delete('pending-sign-out')
    tabStorage.setItem(TAB_MARKER, user.id)
    // Stored before the state changes, as watchers of the database would otherwise find no user.
    await device.put({ key: 'identity', user, remember })
    await open(user)
    // What fails is offered again by the app.
    if (isNew) await addGuest().catch(() => undefined)
  }

  async function addGuest(): Promise<void> {
    await (await guest.offer())?.add({ withSettings: true })
  }

  /**
   * Opens the user's record and sync once, although this tab and its watch of other tabs both ask for
   * it.
   */
  function open(user: User): Promise<void> {
    const state = session.get()
    if (state.status === 'signed-in' && state.user.id === user.id) {
      session.set({ ...state, user })
      return Promise.resolve()
    }
    if (opening?.userId !== user.id) {
      opening = { userId: user.id, done: openNew(user).finally(() => (opening = null)) }
    }
    return opening.done
  }

  async function openNew(user: User): Promise<void> {
    const state = session.get()
    if (state.status === 'signed-in') void state.sync.close()
    // Imported here, because the sign-in page does not need it.
    const { openUser } = await untilLoaded(() => import('./open-user.ts'))
    const opened = await openUser(user.id, dependencies)
    const { status } = opened.sync
    status.subscribe(() => {
      if (status.get().signedOut) void end(true)
    })
    show({ status: 'signed-in', user, ...opened })
  }

  /** Shows what was opened, to keep in step with other tabs from now on. */
  function show(opened: SignedIn): void {
    if (isClosed) return void opened.sync.close()
    if (!watch) watchOtherTabs()
    session.set(opened)
  }

  /**
   * Sets the state to signed out; unsaved changes stay until the same user signs in again. Resolves
   * when the requests in flight are done, as a sign-out would make them fail. `isEnded`: the backend
   * has ended the sign-in, which the person does not know yet. `isLoading`: somebody may come in at
   * once, so the state is 'loading' instead. Returns the state that it is or would be.
   */
  async function leave(isEnded = false, isLoading = false): Promise<SignedOut> {
    const state = session.get()
    const isIn = state.status === 'signed-in'
    const unsaved = isIn && isEnded ? { unsaved: state.record.unsaved() } : {}
    const closed = isIn ? state.sync.close() : null
    tabStorage.removeItem(TAB_MARKER)
    await device.delete('identity')
    const signedOut: SignedOut = { status: 'signed-out', ...unsaved }
    session.set(isLoading ? { status: 'loading' } : signedOut)
    await closed
    return signedOut
  }

  function watchOtherTabs(): void {
    watch = device.onIdentity((identity) => {
      const state = session.get()
      if (state.status === 'signed-in' && identity?.user.id !== state.user.id) {
        // A guest has no identity: only a sign-in in another tab, or the guest's end there, changes anything.
        if (state.isGuest && !identity) return void guest.leaveIfGone(state.user.id)
        void state.sync.close()
        if (identity) void open(identity.user)
        else session.set({ status: 'signed-out' })
      } else if (state.status === 'signed-out' && identity) {
        void open(identity.user)
      }
    })
  }
}

/** Returns the state of the session, which changes no more once it is closed. */
function storeOfSession(isClosed: () => boolean): WritableStore<SessionState> {
  const store = createStore<SessionState>({ status: 'loading' })
  return {
    ...store,
    set(next) {
      if (!isClosed()) store.set(next)
    },
  }
}
