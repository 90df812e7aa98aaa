import type { ReactNode } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { LanguageLinks } from '#ui/language-links.tsx'
import { Wordmark } from '#ui/mark.tsx'

/** The layout of the sign-in pages: logo, heading, form and legal links in one column. */
export function AuthPage({
  title,
  subtitle,
  children,
}: {
  title: string
  subtitle: string
  children: ReactNode
}) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-sm flex-col px-4">
      <title>{`${title} · Stint`}</title>
      <main className="flex flex-1 flex-col justify-center gap-6 py-10">
        <header className="flex flex-col gap-6">
          <Link
            to="/"
            className="flex items-center self-start rounded-control max-md:-my-1.5 max-md:min-h-11"
          >
            <Wordmark />
          </Link>
          <div>
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            <p className="text-quiet">{subtitle}</p>
          </div>
        </header>
        {children}
      </main>
      <footer className="flex flex-col items-center pb-[calc(env(safe-area-inset-bottom)+1rem)] text-xs text-quiet">
        <LanguageLinks className="justify-center" />
        <div className="flex justify-center gap-2">
          <SmallLink to="/terms">{t('Terms')}</SmallLink>
          <SmallLink to="/privacy">{t('Privacy')}</SmallLink>
        </div>
      </footer>
    </div>
  )
}

function SmallLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center px-2 underline hover:text-ink md:min-h-8"
    >
      {children}
    </Link>
  )
}
