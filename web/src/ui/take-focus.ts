/** Ref callback: focuses the element on mount. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

/** Ref callback: focuses the field on mount, unless it is filled or something else has the focus. */
export function takeFirstFocus(field: HTMLInputElement | null): void {
  const isFree = document.activeElement === document.body
  if (field?.value === '' && isFree) field.focus()
}
