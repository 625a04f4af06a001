/**
 * A `ref` for elements that may be removed while focused, such as a Retry button. On removal it moves the focus to the nearest
 * focusable container (`tabIndex={-1}`: the widget, the row, the page).
 */
export const restoreFocusOnUnmount = (shown: HTMLElement | null) => () => {
  if (shown?.contains(shown.ownerDocument.activeElement)) {
    shown.parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
  }
};
