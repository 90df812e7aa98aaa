import { saveFile } from '#ui/save-file.ts'

/** Downloads the poster as an SVG file that needs no style sheet: its colours are written into it, in RGB. */
export function savePoster(poster: SVGSVGElement, name: string): void {
  const copy = poster.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return
  const drawn = poster.querySelectorAll<SVGElement>('[style]')
  for (const [index, element] of copy.querySelectorAll<SVGElement>('[style]').entries()) {
    const original = drawn[index]
    if (original) element.setAttribute('fill', rgbOf(getComputedStyle(original).fill))
    element.removeAttribute('style')
  }
  copy.removeAttribute('aria-hidden')
  saveFile(name, 'image/svg+xml', new XMLSerializer().serializeToString(copy))
}

/** Returns any CSS colour as '#rrggbb', as programs that draw SVG know few others. */
function rgbOf(color: string): string {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return color
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`
}
