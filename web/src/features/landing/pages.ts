/** The titles and descriptions of the public pages, for browsers, search engines and shared links. */
import type { ScreenPath } from '@stint/core/screens.ts'
import { t } from '@stint/core/text.ts'

export interface PageTexts {
  readonly path: ScreenPath
  readonly title: string
  readonly description: string
}

export const PUBLIC_PAGES = {
  landing: {
    path: '/',
    title: t('Stint: press Start, see where your time went'),
    description: t(
      'A time tracker for one person: create a task, click start, see results. Survives crashes and lost connections, works on every device. Free and open source.',
    ),
  },
  terms: {
    path: '/terms',
    title: t('Terms of service · Stint'),
    description: t(
      'The agreement between you and whoever runs this Stint server, in plain language.',
    ),
  },
  privacy: {
    path: '/privacy',
    title: t('Privacy policy · Stint'),
    description: t('What Stint stores about you, where, what for, and how to have it deleted.'),
  },
} as const satisfies Record<string, PageTexts>

/** Describes the picture of a shared link, og.png. */
export const SHARED_PICTURE = t('Stint’s timer, running')

/** The support address on a server whose operator has not set one. */
export const DEFAULT_SUPPORT_EMAIL = 'support@stint.example'
