import { classNames } from './class-names.ts'

/** A choice of a few visible options: a row of toggle buttons. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  /** The accessible label of the choice. */
  label: string
  options: readonly { value: Value; label: string }[]
  /** Null: none is chosen. */
  value: Value | null
  onChange: (value: Value) => void
}) {
  return (
    <fieldset aria-label={label} className="inline-flex rounded-control bg-wash p-0.5">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={classNames(
            'h-11 rounded-[6px] border px-3 text-sm transition-colors duration-80 md:h-7',
            option.value === value
              ? 'border-line bg-surface font-semibold text-ink'
              : 'border-transparent text-quiet hover:text-ink',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
