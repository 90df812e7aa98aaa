import { CloudOff, RotateCw } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { classNames } from '#ui/class-names.ts'
import { showToast } from '#ui/toast.tsx'
import { useIsGuest } from '#hooks/use-auth.ts'
import { useConnection } from '#hooks/use-connection.ts'
import { GuestLine } from './guest-line.tsx'

/**
 * Shows when the backend is unreachable, how many changes are unsynced, and how long syncing takes
 * under a rate limit. Hidden when everything is synced. Unsynced changes are kept on this device.
 */
export function SyncChip({ className }: { className?: string }) {
  const { online, unsaved, minutesLeft, retry } = useConnection()
  const shown = !online || unsaved > 0
  if (useIsGuest()) return <GuestLine className={className} />
  return (
    <output
      aria-label={t('Connection')}
      className={classNames(
        shown &&
          'flex animate-appear flex-wrap items-center gap-x-3 text-xs whitespace-nowrap text-quiet',
        shown && className,
      )}
    >
      {!online && (
        <span className="flex items-center gap-1.5 md:basis-full md:gap-3">
          <Icon of={CloudOff} />
          {t('Offline')}
        </span>
      )}
      {unsaved > 0 && (
        <>
          <span
            className="figures flex items-center gap-1.5 md:gap-3"
            title={t('Kept on this device until it syncs')}
          >
            {/* As wide as the icon above it. */}
            <span aria-hidden="true" className="flex size-4 items-center justify-center">
              <span className="size-2 rounded-full border-2 border-paused" />
            </span>
            {online
              ? t('Syncing {count}…', { count: unsaved })
              : t('{count, plural, other {{count} waiting to sync}}', { count: unsaved })}
          </span>
          {online && minutesLeft !== null && (
            <span className="figures md:order-last md:basis-full">
              {t('{count, plural, one {about # minute left} other {about # minutes left}}', {
                count: minutesLeft,
              })}
            </span>
          )}
          <button
            type="button"
            onClick={() => {
              retry()
              if (!online) showToast({ text: t('Still offline. Your changes are kept here.') })
            }}
            className="ms-auto inline-flex h-11 items-center gap-1.5 rounded-control px-2 font-semibold text-ink hover:bg-wash md:h-7"
          >
            <Icon of={RotateCw} className="size-3.5" />
            {t('Retry')}
          </button>
        </>
      )}
    </output>
  )
}
