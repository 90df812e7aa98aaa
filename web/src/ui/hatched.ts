/** Thin diagonal lines in the text colour, for what does not count or is not there yet. */
export const HATCHED =
  'bg-[repeating-linear-gradient(135deg,currentColor_0_1.5px,transparent_1.5px_5px)]'
