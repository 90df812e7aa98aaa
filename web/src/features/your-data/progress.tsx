import { t } from '@stint/core/text.ts'

/** A labelled bar. `value` is 0 to 1. */
export function Progress({ label, value }: { label: string; value: number }) {
  return (
    <div className="flex items-center gap-3 text-sm">
      <span>{label}</span>
      <progress
        aria-label={label}
        value={value}
        className="h-1.5 min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-wash accent-accent md:max-w-80 [&::-webkit-progress-bar]:bg-wash [&::-webkit-progress-value]:bg-accent"
      />
      <span className="figures w-10 text-end text-quiet">
        {t('{percent}%', { percent: Math.round(100 * value) })}
      </span>
    </div>
  )
}
