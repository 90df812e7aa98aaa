/** Returns whether people here write the day before the month. */
export function isDayFirst(): boolean {
  return (known ??= !new Intl.DateTimeFormat(undefined, { dateStyle: 'short' })
    .format(new Date(2026, 10, 28))
    .startsWith('11'))
}

// Kept, as making a format takes longer than reading a date.
let known: boolean | undefined
