import { DEFAULT_TASK_COLOR, storedColor, TASK_COLORS } from '@stint/core/record/task.ts'
import type { TaskColor } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { tint } from '#ui/tint.ts'

/** The colours, each as it is stored. `hasAutomatic` also offers none. */
export function Colors({
  value,
  hasAutomatic,
  onChange,
}: {
  value: string
  hasAutomatic: boolean
  onChange: (color: string) => void
}) {
  const colors = TASK_COLORS.map((name) => ({ name, color: storedColor(name) }))
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold text-ink">{t('Colour')}</legend>
      <div className="flex flex-wrap items-center gap-1">
        {[...(hasAutomatic ? [AUTOMATIC] : []), ...colors].map(({ name, color }) => {
          const label = name ? COLOR_NAMES[name] : t('Automatic')
          return (
            <label
              key={color}
              title={label}
              className="relative flex size-11 cursor-pointer items-center justify-center rounded-control hover:bg-wash has-checked:bg-wash md:size-8"
            >
              <input
                type="radio"
                name="color"
                aria-label={label}
                checked={value === color}
                onChange={() => onChange(color)}
                className="peer absolute inset-0 cursor-pointer opacity-0"
              />
              <span
                aria-hidden="true"
                style={name ? { backgroundColor: tint(name) } : {}}
                className="flex size-5 items-center justify-center rounded-full text-xs ring-ink ring-offset-2 ring-offset-raised peer-checked:ring-2 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-4 peer-focus-visible:outline-accent"
              >
                {!name && 'A'}
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

const AUTOMATIC = { name: null, color: DEFAULT_TASK_COLOR }

const COLOR_NAMES: Readonly<Record<TaskColor, string>> = {
  blue: t('blue'),
  orange: t('orange'),
  teal: t('teal'),
  magenta: t('magenta'),
  green: t('green'),
  violet: t('violet'),
  amber: t('amber'),
  red: t('red'),
  sky: t('color|sky'),
  slate: t('color|slate'),
}
