import { memo } from 'react'
import type { ComponentType, CSSProperties, KeyboardEvent } from 'react'
import { classNames } from '#ui/class-names.ts'
import { placeAfter } from './place-after.ts'

interface SquaresProps {
  /** CSS colours; null: an empty square. */
  colors: readonly (string | null)[]
  /** What each square stands for, by its number; null: nothing. The number is the key of its tooltip. */
  rows: readonly (number | null)[]
  /** The picture in one sentence. */
  summary: string
  /** What is pointed at: the others are dimmed. */
  active: number | null
  onActivate: (row: number | null) => void
  onPress: ((row: number) => void) | undefined
}

/**
 * Squares in the colours of what they stand for, in rows of 25 on phones and 50 on wider screens. They are
 * one image to assistive technology. Arrow keys move between what they stand for, and Enter presses it.
 */
export const Squares: ComponentType<SquaresProps> = memo(function Squares({
  colors,
  rows,
  summary,
  active,
  onActivate,
  onPress,
}: SquaresProps) {
  const last = rows.reduce<number>((most, row) => Math.max(most, row ?? -1), -1)
  const isControl = onPress !== undefined && last >= 0

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next =
      placeAfter(event.key, active ?? -1, last) ?? placeAfter(event.key, active ?? -1, last, 'down')
    if (next !== null) onActivate(next)
    else if (event.key === 'Enter' && active !== null) onPress?.(active)
    else return
    event.preventDefault()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the legend's buttons do the same
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is made of elements, so there is no image file
      role="img"
      aria-label={summary}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move between the squares; the legend has the same content as text
      tabIndex={isControl ? 0 : undefined}
      className="-m-[1.5px] grid grid-cols-25 rounded-control md:-m-px md:grid-cols-50 lg:-m-[1.5px]"
      onKeyDown={isControl ? onKeyDown : undefined}
      onFocus={(event) => {
        if (isControl && event.currentTarget.matches(':focus-visible')) onActivate(0)
      }}
      onBlur={() => onActivate(null)}
      onPointerOver={(event) => onActivate(rowUnder(event.target))}
      onPointerLeave={() => onActivate(null)}
      onClick={(event) => {
        const row = rowUnder(event.target)
        if (row !== null) onPress?.(row)
      }}
    >
      {colors.map((color, square) => (
        <Square
          // Squares have no identity but their place.
          key={square}
          color={color}
          row={rows[square] ?? null}
          isDimmed={active !== null && rows[square] !== active}
          isPressable={onPress !== undefined}
        />
      ))}
    </div>
  )
}, sameSquares)

function sameSquares(a: SquaresProps, b: SquaresProps): boolean {
  return (
    a.summary === b.summary &&
    a.active === b.active &&
    (a.onPress === undefined) === (b.onPress === undefined) &&
    a.rows.every((row, square) => row === b.rows[square]) &&
    a.colors.every((color, square) => color === b.colors[square])
  )
}

/** The gap is padding inside the square, so that the pointer is always over a square. */
const Square = memo(function Square(props: {
  color: string | null
  row: number | null
  isDimmed: boolean
  isPressable: boolean
}) {
  const { color, row, isDimmed, isPressable } = props
  const style: CSSProperties = color === null ? {} : { backgroundColor: color }
  return (
    <span
      data-square={row ?? ''}
      data-tip={row ?? undefined}
      style={style}
      className={classNames(
        'aspect-square rounded-[3.5px] bg-empty bg-clip-content p-[1.5px] transition-opacity duration-80 md:p-px lg:p-[1.5px]',
        isDimmed && row !== null && 'opacity-25',
        isPressable && row !== null && 'cursor-pointer',
      )}
    />
  )
})

function rowUnder(target: EventTarget): number | null {
  const row = target instanceof Element ? target.getAttribute('data-square') : null
  return row === null || row === '' ? null : Number(row)
}
