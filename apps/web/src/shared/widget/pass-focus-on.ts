/**
 * For what goes away while somebody may be on it, such as a Retry: given as its `ref`, it passes the focus to what is around
 * it and takes the focus (`tabIndex={-1}`: the widget, the row, the page), whoever made it superfluous.
 */
export const passFocusOn = (shown: HTMLElement | null) => () => {
  if (shown?.contains(shown.ownerDocument.activeElement)) {
    shown.parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
  }
};
