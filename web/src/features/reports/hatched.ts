/** Thin slanted lines in the colour of the text: pauses, days to come, another month's part. */
export const HATCHED =
  'bg-[repeating-linear-gradient(135deg,currentColor_0_1.5px,transparent_1.5px_5px)]'
