import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'

/** How to install Stint on each platform. */
export function InstallGuide() {
  return (
    <div className="grid gap-px overflow-hidden rounded-panel border border-line bg-line md:grid-cols-3">
      <Platform
        title={t('Desktop')}
        browser="Chrome, Edge"
        action={
          // Shown when the browser offers to install.
          <Button data-install="" hidden className="self-start">
            {t('Install Stint')}
          </Button>
        }
      >
        <li>{t('Sign in to Stint.')}</li>
        <li>{t('Click the install icon at the right end of the address bar.')}</li>
        <li>
          <Bold text={t('Confirm with <b>Install</b>.')} />
        </li>
      </Platform>
      <Platform title={t('iPhone, iPad')} browser="Safari">
        <li>{t('Open Stint in Safari.')}</li>
        <li>
          <Bold text={t('Tap <b>Share</b>, the square with the arrow.')} />
        </li>
        <li>
          <Bold text={t('Choose <b>Add to Home Screen</b>, then <b>Add</b>.')} />
        </li>
      </Platform>
      <Platform title={t('Android')} browser="Chrome">
        <li>{t('Open Stint in Chrome.')}</li>
        <li>{t('Tap the three dots at the top.')}</li>
        <li>
          <Bold text={t('Choose <b>Add to home screen</b>, then <b>Install</b>.')} />
        </li>
      </Platform>
    </div>
  )
}

/** A step with the browser's own words in bold. */
function Bold({ text }: { text: string }) {
  return <RichText text={text} tags={{ b: (words) => <b>{words}</b> }} />
}

function Platform({
  title,
  browser,
  action,
  children,
}: {
  title: string
  browser: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex flex-col gap-3 bg-surface p-5">
      <h3 className="font-semibold">
        {title} <span className="font-normal text-quiet">{browser}</span>
      </h3>
      <ol className="flex list-decimal flex-col gap-2 ps-5 text-sm text-quiet [&_b]:font-semibold [&_b]:text-ink">
        {children}
      </ol>
      {action}
    </div>
  )
}
