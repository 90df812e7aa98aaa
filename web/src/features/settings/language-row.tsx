import { use, useId, useState } from 'react'
import { LANGUAGE_SETTINGS, prefsFromSettings } from '@stint/core/settings.ts'
import type { LanguageSetting } from '@stint/core/settings.ts'
import { LANGUAGE_NAMES, t } from '@stint/core/text.ts'
import { languageOf, openIn } from '#pwa/language.ts'
import { Select } from '#ui/select.tsx'
import { changePrefs } from '@stint/core/device/edits.ts'
import { useRecord } from '#session/signed-in.ts'
import { ChangedContext, useSettings } from '#hooks/use-settings.ts'
import { LabelledRow } from '#ui/labelled-row.tsx'

/**
 * The language of the app. The choice is stored at once, as the page may be left while the language loads;
 * then the next page opens in it. If it cannot be loaded, the choice is taken back.
 */
export function LanguageRow() {
  const id = useId()
  const { language: setting } = useSettings()
  const record = useRecord()
  const onChanged = use(ChangedContext)
  const [loading, setLoading] = useState<LanguageSetting | null>(null)
  const [failed, setFailed] = useState<LanguageSetting | null>(null)

  const choose = async (picked: LanguageSetting) => {
    setLoading(picked)
    setFailed(null)
    const stored = store(picked)
    try {
      await openIn(picked, () => stored)
    } catch {
      await store(setting)
      setFailed(picked)
    }
    setLoading(null)
  }

  async function store(language: LanguageSetting): Promise<void> {
    await record.write((draft) => changePrefs(draft, prefsFromSettings({ language })))
    onChanged()
  }

  return (
    <LabelledRow
      label={t('Language')}
      controlId={id}
      wide
      hint={
        <output>
          {failed !== null &&
            t('Stint couldn’t be loaded in {language}. Check your connection and try again.', {
              language: LANGUAGE_NAMES[languageOf(failed)],
            })}
          {loading !== null &&
            t('Loading {language}…', { language: LANGUAGE_NAMES[languageOf(loading)] })}
        </output>
      }
    >
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        className="grow md:w-60"
        disabled={loading !== null}
        value={loading ?? setting}
        onChange={(event) => {
          const picked = LANGUAGE_SETTINGS.find((each) => each === event.target.value)
          if (picked) void choose(picked)
        }}
      >
        {LANGUAGE_SETTINGS.map((each) =>
          each === 'auto' ? (
            <option key={each} value={each}>
              {t('Automatic')}
            </option>
          ) : (
            <option key={each} value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </option>
          ),
        )}
      </Select>
    </LabelledRow>
  )
}
