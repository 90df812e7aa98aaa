import { t } from '@stint/core/text.ts'
import { daysBetween, formatFullDate, localDate, sessionDay } from '@stint/core/time/calendar.ts'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useNow } from '#hooks/use-now.ts'
import { messageOf, useAccountCommands, useDevices } from './use-account.ts'
import type { SignedInDevice } from './use-account.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useDayRule } from '#hooks/use-settings.ts'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { Section } from './section.tsx'

/** The devices on which the user is signed in. Each can be signed out here. */
export function Devices({ id, signOutHere }: { id: string; signOutHere: ReactNode }) {
  const { value: devices, error, reload } = useDevices()
  const { endSession } = useAccountCommands()
  const [ending, setEnding] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const thisFirst = devices?.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.signedInAt - a.signedInAt,
  )

  async function end(device: SignedInDevice) {
    setProblem(null)
    setEnding(device.sessionId)
    try {
      await endSession(device.sessionId)
    } catch (cause) {
      setProblem(messageOf(cause))
    }
    await reload()
    setEnding(null)
    // The pressed button was removed with its row, so the focus moves to the heading.
    if (document.activeElement === document.body) document.getElementById(id)?.focus()
  }

  return (
    <Section id={id} title={t('Devices')}>
      {problem !== null && (
        <div className="py-2">
          <Banner>{problem}</Banner>
        </div>
      )}
      {devices === null && error === null && (
        <LabelledRow label={<Skeleton className="h-5 w-40" />}>
          <span className="sr-only">{t('Loading your devices')}</span>
        </LabelledRow>
      )}
      {devices === null && error !== null && (
        <LabelledRow label={t('This device')}>{signOutHere}</LabelledRow>
      )}
      {error !== null && (
        <div className="py-2">
          <Banner onRetry={() => void reload()}>
            {t('Couldn’t load your devices. {reason}', { reason: error })}
          </Banner>
        </div>
      )}
      {thisFirst?.map((device) => (
        <DeviceRow key={device.sessionId} device={device}>
          {device.isCurrent ? (
            signOutHere
          ) : (
            <Button
              aria-label={t('Sign out {device}', { device: nameOf(device) })}
              busy={ending === device.sessionId}
              disabled={ending !== null}
              onClick={() => void end(device)}
            >
              {t('Sign out')}
            </Button>
          )}
        </DeviceRow>
      ))}
    </Section>
  )
}

function DeviceRow({ device, children }: { device: SignedInDevice; children: ReactNode }) {
  const { clockTime } = useFormats()
  const dayRule = useDayRule()
  const now = useNow()
  const { signedInAt, ip: address } = device
  const date = localDate(signedInAt, dayRule)
  const daysAgo = daysBetween(date, localDate(now, dayRule))
  const day = sessionDay(signedInAt, now, dayRule)
  const time = clockTime(signedInAt, dayRule.timeZone)
  return (
    <LabelledRow
      wide={device.isCurrent}
      label={nameOf(device)}
      hint={
        <span title={formatFullDate(date)}>
          {device.isCurrent
            ? t(
                'This device · Signed in {daysAgo, plural, =0 {today} =1 {yesterday} other {on {day}}} at {time} · {address}',
                { daysAgo, day, time, address },
              )
            : t(
                'Signed in {daysAgo, plural, =0 {today} =1 {yesterday} other {on {day}}} at {time} · {address}',
                { daysAgo, day, time, address },
              )}
        </span>
      }
    >
      {children}
    </LabelledRow>
  )
}

/** Returns the device's name, such as 'Firefox on Windows'. */
function nameOf({ browser, system }: SignedInDevice): string {
  if (browser === '') return system === '' ? t('Unknown device') : system
  return system === '' ? browser : t('{browser} on {system}', { browser, system })
}
