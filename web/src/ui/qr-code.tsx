import { encode } from 'uqr'
import { classNames } from './class-names.ts'

/** A text as a QR code: dark on white in every theme, with the margin that readers need. */
export function QrCode({
  text,
  label,
  className,
}: {
  text: string
  label: string
  className: string
}) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={classNames('shrink-0 bg-[#fff]', className)}
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
