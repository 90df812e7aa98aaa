/** Ref callback: focuses the element on mount. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}
