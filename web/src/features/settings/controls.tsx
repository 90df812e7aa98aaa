import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { CONTROL_CLASSES } from '#ui/field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { Switch } from '#ui/switch.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'

interface Texts {
  readonly label: string
  readonly hint?: ReactNode
}

/**
 * Returns the value to show and a function that picks another. A picked value is shown at once,
 * although the setting changes only after it is stored.
 */
function useShown<Value>(
  value: Value,
  onChange: (picked: Value) => void,
): [shown: Value, pick: (picked: Value) => void] {
  const [picked, setPicked] = useState<{ from: Value; to: Value } | null>(null)
  if (picked && picked.from !== value) setPicked(null)
  return [
    picked ? picked.to : value,
    (to) => {
      setPicked({ from: value, to })
      onChange(to)
    },
  ]
}

/** A setting that is on or off. */
export function SwitchRow({
  label,
  hint,
  checked,
  onChange,
}: Texts & { checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId()
  const [shown, pick] = useShown(checked, onChange)
  return (
    <LabelledRow label={label} hint={hint} controlId={id}>
      <Switch
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={shown}
        onChange={(event) => pick(event.target.checked)}
      />
    </LabelledRow>
  )
}

interface Choosing<Value> extends Texts {
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A setting with a few choices, all visible. */
export function SegmentedRow<Value extends string | number>({
  label,
  hint,
  choices,
  value,
  onChange,
}: Choosing<Value>) {
  const [shown, pick] = useShown(value, onChange)
  return (
    <LabelledRow label={label} hint={hint} wide>
      {/* As wide as the other controls. */}
      <div className="grow *:flex *:*:grow *:*:whitespace-nowrap md:w-60">
        <Segmented
          label={label}
          options={choices.map((choice) => ({ value: String(choice.value), label: choice.label }))}
          value={String(shown)}
          onChange={(picked) => {
            const choice = choices.find((each) => String(each.value) === picked)
            if (choice) pick(choice.value)
          }}
        />
      </div>
    </LabelledRow>
  )
}

/** A setting with many choices. */
export function SelectRow<Value extends string | number | null>({
  label,
  hint,
  choices,
  value,
  onChange,
}: Choosing<Value>) {
  const id = useId()
  const [shown, pick] = useShown(value, onChange)
  return (
    <LabelledRow label={label} hint={hint} controlId={id} wide>
      <Select
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="grow md:w-60"
        value={choices.findIndex((choice) => choice.value === shown)}
        onChange={(event) => {
          const choice = choices[Number(event.target.value)]
          if (choice) pick(choice.value)
        }}
      >
        {choices.map((choice, index) => (
          <option key={choice.label} value={index}>
            {choice.label}
          </option>
        ))}
      </Select>
    </LabelledRow>
  )
}

/** A setting with an integer value. Invalid input is not saved; the saved value returns on blur. */
export function NumberRow({
  label,
  hint,
  unit,
  min,
  max,
  value,
  onChange,
}: Texts & {
  /** Shown beside the field. */
  unit: string
  min: number
  max: number
  value: number
  onChange: (value: number) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const number = Number(typed)
  const fits = Number.isInteger(number) && number >= min && number <= max

  // Scrolling over a focused number field would change its value unnoticed, so scrolling blurs it.
  useEffect(() => {
    const element = field.current
    const leave = () => element?.blur()
    element?.addEventListener('wheel', leave, { passive: true })
    return () => element?.removeEventListener('wheel', leave)
  }, [])

  return (
    <LabelledRow label={label} hint={hint} controlId={id}>
      <span className="flex shrink-0 items-center gap-2 text-sm text-quiet">
        <input
          ref={field}
          id={id}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          aria-describedby={`${id}-unit`}
          aria-invalid={typed !== null && !fits ? true : undefined}
          value={typed ?? value}
          onChange={(event) => {
            setTyped(event.target.value)
            const next = Number(event.target.value)
            if (Number.isInteger(next) && next >= min && next <= max) onChange(next)
          }}
          onBlur={() => setTyped(null)}
          className={`${CONTROL_CLASSES} figures w-20 text-end md:text-sm`}
        />
        <span id={`${id}-unit`} className="w-16">
          {unit}
        </span>
      </span>
    </LabelledRow>
  )
}
