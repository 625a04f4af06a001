/**
 * For what goes away while somebody may be on it, such as a Retry: given as its `ref`, it passes the focus to the section
 * around it, whoever made it superfluous. Without a section that takes the focus, the page has it.
 */
export const passFocusOn = (shown: HTMLElement | null) => () => {
  if (shown?.contains(shown.ownerDocument.activeElement)) {
    shown.closest('section')?.focus({ preventScroll: true });
  }
};
