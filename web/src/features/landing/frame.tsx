import type { ReactNode } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { VERSION } from '@stint/core/version.ts'
import { LanguageLinks } from '#ui/language-links.tsx'
import { Wordmark } from '#ui/mark.tsx'

/** The layout of the public pages. */
export function PublicPage({ corner, children }: { corner: ReactNode; children: ReactNode }) {
  return (
    <div className="min-h-dvh bg-paper text-base text-ink">
      <div className="mx-auto flex max-w-[67.5rem] flex-col px-4 md:px-8">
        <header className="flex min-h-18 flex-wrap items-center justify-between gap-x-4 py-3">
          <Link to="/" aria-label={t('Stint home')} className="rounded-control">
            <Wordmark />
          </Link>
          {corner}
        </header>
        {children}
        <footer className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line py-8 text-sm text-quiet">
          <span className="me-auto">
            {t('Stint v{version}. Open source, MIT licence.', { version: VERSION })}
          </span>
          <LanguageLinks className="-mx-2 max-md:basis-full" />
          <FooterLink to="/terms">{t('Terms')}</FooterLink>
          <FooterLink to="/privacy">{t('Privacy')}</FooterLink>
        </footer>
      </div>
    </div>
  )
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex h-11 items-center rounded-control px-1 underline underline-offset-4 hover:text-ink md:h-8"
    >
      {children}
    </Link>
  )
}
