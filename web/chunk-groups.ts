/**
 * Modules that are one file of the build: that compresses better and stays cached across builds. A group is
 * what is at its paths and all that this imports at once, without what an earlier group has. A path is a file
 * without its extension, or a folder with a '/' at its end.
 */
export const CHUNK_GROUPS: Readonly<Record<string, readonly string[]>> = {
  framework: ['node_modules/react/', 'node_modules/react-dom/'],
  // The backend and the settings of the account.
  'email-address': ['core/src/email-address'],

  // Every first screen, signed in or not.
  controls: [
    'core/src/grouped',
    'web/src/app/app',
    'web/src/features/auth/mail-link',
    'web/src/features/auth/signup-policy',
    'web/src/features/auth/take-invite',
    'web/src/pwa/install-offer',
    'web/src/session/start-session',
    'web/src/ui/banner',
    'web/src/ui/field',
    'web/src/ui/later',
  ],
  // Every signed-in screen. The icon is also in a notice, which would load a later group for it.
  everyday: [
    'lucide-react/dist/esm/icons/download',
    'web/src/app/require-signed-in',
    'web/src/routes/dashboard',
    'web/src/session/open-user',
  ],

  // What several of the files below need.
  forms: [
    'core/src/timesheet/has-rates',
    'web/src/hooks/offers-passkeys',
    'web/src/hooks/use-is-own-server',
    'web/src/ui/checkbox',
    'web/src/ui/form',
    'web/src/ui/rich-text',
    'web/src/ui/select-field',
    'web/src/ui/take-focus',
    'web/src/ui/text-field',
  ],
  password: ['web/src/ui/password-field'],
  'new-password': [
    'web/src/features/auth/new-password',
    'web/src/features/auth/signup-problem',
    'web/src/hooks/use-password-check',
  ],
  // With what all parts of the library share.
  dialog: ['web/src/ui/dialog'],
  // Sync, and pages.
  overlaps: ['core/src/device/overlap-pairs'],
  // Sync, and the questions of the timer.
  answers: [
    'core/src/device/correct-instants',
    'core/src/device/questions',
    'core/src/device/unsent-sessions',
  ],
  // Visitors, who load nothing else of what uses it.
  language: ['web/src/pwa/language'],
  changes: ['web/src/hooks/use-record-commands'],
  tags: ['web/src/hooks/note-text'],
  categories: ['web/src/hooks/use-categories'],
  suggestions: [
    'web/src/hooks/category-suggestions',
    'web/src/hooks/filter-suggestions',
    'web/src/hooks/tag-suggestions',
  ],

  // The dialog of a saved filter, and the hours account.
  'filter-field': ['web/src/hooks/filter-field'],

  // What went wrong with a passkey, for the sign-in page and the settings.
  'passkey-texts': ['web/src/hooks/passkey-error-text'],

  // The seal of a timesheet, and the key of an authenticator app.
  'qr-code': ['web/src/ui/qr-code'],

  // The printed report and the timesheet.
  paper: ['web/src/ui/paper'],

  // The screens other than the dashboard. Compressed together they are a fifth smaller.
  pages: [
    'web/src/features/reports/',
    'web/src/features/timeline/',
    'web/src/routes/dashboard-today',
    'web/src/routes/reports',
    'web/src/routes/task-analytics',
    'web/src/routes/tasks',
  ],
  // Palette, settings and data pages, loaded in the background or when they are opened.
  extras: [
    'web/src/app/companions',
    'web/src/features/entries/merge-choice',
    'web/src/features/focus/',
    'web/src/features/timer/start-choices',
    'web/src/features/your-data/health-section',
    'web/src/routes/data',
    'web/src/routes/data-print',
    'web/src/routes/settings',
  ],
  // The search for sessions, loaded with /sessions or when a text is typed into the palette.
  search: ['web/src/features/keyboard/session-search'],
  // The filter box of /sessions and of the timesheet, and icons of both.
  'filter-box': [
    'lucide-react/dist/esm/icons/coins',
    'lucide-react/dist/esm/icons/stamp',
    'web/src/features/entry-list/filter-pins',
    'web/src/hooks/use-found-sessions',
  ],
  // What the hours account and targets share: what is owed, and hours as they are typed.
  owed: ['core/src/balance/account', 'core/src/balance/hours-text', 'core/src/balance/owed'],
  'typed-hours': ['core/src/balance/contract-line'],
  // What targets are, for the editor of tasks.
  'kept-targets': ['core/src/targets/targets'],
  // The rings of the dashboard of those who have targets, and what says that one is reached.
  'target-figures': [
    'web/src/features/targets/target-rings',
    'web/src/features/targets/target-watch',
  ],
  // The page of targets.
  targets: ['web/src/routes/targets'],
  // Renames categories, in rates and in the hours account too: without the screens of these.
  renaming: ['web/src/features/tasks/rename-category'],
  // The hours account, and its line on the dashboard of those who have one.
  balance: [
    'core/src/transfer/balance-csv',
    'web/src/features/balance/balance-link',
    'web/src/routes/balance',
  ],
  // The library of public holidays, loaded to choose from.
  'public-holidays': ['web/src/features/balance/holidays-dialog'],
  // The year on a page, loaded when it is opened.
  year: ['core/src/reports/day-rows', 'web/src/routes/year'],
  // The choice of a task, of the editor and of suggestions.
  'task-choices': ['web/src/hooks/use-task-choices', 'web/src/ui/choice-field'],
  // What this device knows of a day or a session, loaded where it keeps traces.
  traces: [
    'web/src/hooks/week-events',
    'web/src/hooks/planned-days',
    'web/src/hooks/pattern-events',
    'web/src/hooks/day-layer',
    'web/src/hooks/evidence-lines',
  ],
  // Suggestions for free time, loaded when they are opened.
  rebuild: ['web/src/routes/rebuild'],
  // The timesheet, loaded when it is opened.
  timesheet: ['core/src/transfer/timesheet-csv', 'web/src/routes/timesheet'],
  // The two editors, and what edits many sessions, loaded in the background or when one is first opened.
  editors: [
    'web/src/features/entries/',
    'web/src/features/entry-list/bulk-dialog',
    'web/src/features/tasks/categories-dialog',
    'web/src/features/tasks/task-editor',
    'web/src/features/your-data/overlap-prompts',
  ],
  // Copies, and the sign-out that removes them.
  'copy-folder': ['web/src/copies/copy-folder'],
  // The file of everything, and copies of it on this device.
  'kept-copies': ['web/src/copies/local-copies'],
  // Makes a copy, when one is due.
  'keep-copies': ['web/src/features/your-data/keep-copies'],
  // Proposals and restorations.
  'changed-entry': ['web/src/features/your-data/changed-entry'],
  // Import, export and restoration, loaded when a file is chosen or exported.
  files: [
    'core/src/transfer/',
    'web/src/features/your-data/import-receipts-list',
    'web/src/features/your-data/import-review',
    'web/src/features/your-data/restore-dialog',
  ],
  // The picker of a range, loaded when it opens.
  'range-picker': ['web/src/hooks/range-picker'],
  // A calendar, loaded when it opens.
  calendar: ['web/src/ui/calendar'],
}

/** Returns a test for the ids of the modules at these paths. */
export function modulesAt(paths: readonly string[]): (id: string) => boolean {
  return (id) => {
    const file = id.replace(/\.\w+$/, '')
    return paths.some((path) =>
      path.endsWith('/') ? file.includes(`/${path}`) : file.endsWith(`/${path}`),
    )
  }
}
