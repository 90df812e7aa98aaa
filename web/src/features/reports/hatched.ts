/** Thin diagonal lines in the text colour, for pauses, future days, and parts of another month. */
export const HATCHED =
  'bg-[repeating-linear-gradient(135deg,currentColor_0_1.5px,transparent_1.5px_5px)]'
