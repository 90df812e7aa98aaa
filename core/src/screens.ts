/** The screens of the app by their paths, for the router and for the server. `:name` stands for a part of the address. */

export interface Screen {
  /** Who may open it. Visitors that are signed in are sent to the dashboard. */
  readonly for: 'signed-in' | 'visitors' | 'everybody'
  /** The name of the page that the build renders of it, without '.html'. */
  readonly page?: string
  /** The page is all there is: the app of the build does not contain the screen. */
  readonly isOnlyPage?: true
}

export const SCREENS = {
  '/dashboard': { for: 'signed-in' },
  '/tasks': { for: 'signed-in' },
  '/tasks/:taskId': { for: 'signed-in' },
  '/reports': { for: 'signed-in' },
  '/sessions': { for: 'signed-in' },
  '/timesheet': { for: 'signed-in' },
  '/balance': { for: 'signed-in' },
  '/targets': { for: 'signed-in' },
  '/year': { for: 'signed-in' },
  '/rebuild': { for: 'signed-in' },
  '/settings': { for: 'signed-in' },
  '/data': { for: 'signed-in' },
  '/data/print': { for: 'signed-in' },
  '/signout': { for: 'signed-in' },
  '/': { for: 'visitors', page: 'index', isOnlyPage: true },
  '/login': { for: 'visitors', page: 'login' },
  '/signup': { for: 'visitors', page: 'signup' },
  '/try': { for: 'everybody' },
  '/recovery': { for: 'everybody' },
  '/verify': { for: 'everybody' },
  '/terms': { for: 'everybody', page: 'terms', isOnlyPage: true },
  '/privacy': { for: 'everybody', page: 'privacy', isOnlyPage: true },
} as const satisfies Readonly<Record<string, Screen>>

export type ScreenPath = keyof typeof SCREENS

/** The names of the pages that the build renders. */
export type PageName = Extract<(typeof SCREENS)[ScreenPath], { readonly page: string }>['page']
