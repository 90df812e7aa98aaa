import { LANGUAGE, LANGUAGE_NAMES, LANGUAGES, t } from '@stint/core/text.ts'
import { classNames } from './class-names.ts'

/**
 * Links to the current page in each language, for visitors. Only Stint's own server knows them: it
 * remembers the choice.
 */
export function LanguageLinks({ className }: { className?: string }) {
  if (!IS_OWN_SERVER) return null
  return (
    <nav aria-label={t('Language')} className={classNames('flex flex-wrap', className)}>
      {LANGUAGES.map((language) => (
        <a
          key={language}
          href={`?language=${language}`}
          lang={language}
          hrefLang={language}
          aria-current={language === LANGUAGE || undefined}
          className="inline-flex min-h-11 items-center px-2 hover:text-ink hover:underline aria-[current]:text-ink md:min-h-8"
        >
          {LANGUAGE_NAMES[language]}
        </a>
      ))}
    </nav>
  )
}

/** Whether this build is for Stint's own server (backend/config.ts). */
const IS_OWN_SERVER = !import.meta.env['VITE_APPWRITE_ENDPOINT']
