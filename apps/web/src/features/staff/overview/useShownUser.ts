/**
 * The user whose positions the Overview shows, stored in the URL so that a link opens them (A76). Closing returns the focus to
 * the control that opened the positions and removes the filters of these tables from the URL.
 */
import { type RefObject, useRef, useState } from 'react';
import { defineUrlState, optionalField, useUrlState } from '../../../shared/url-state/index.ts';
import type { UserSummary } from '../user-dialogs/index.ts';

const shownUser = defineUrlState({ positions: optionalField((id) => id) });
const isTableParameter = (key: string): boolean => key.startsWith('open_') || key.startsWith('closed_');

export interface ShownUser {
  readonly id: string;
  /** Null when only the id in the URL is known. */
  readonly username: string | null;
}

export function useShownUser(page: RefObject<HTMLElement | null>) {
  const [{ positions: id }, changeUrl] = useUrlState(shownUser);
  const [opened, setOpened] = useState<Pick<UserSummary, 'id' | 'username'> | null>(null);
  const opener = useRef<Element | null>(null);
  const shown: ShownUser | null =
    id === null ? null : { id, username: opened?.id === id ? opened.username : null };

  const change = (to: string | null) =>
    changeUrl({ positions: to }, { step: 'new', removes: isTableParameter });

  return {
    shown,
    show: ({ id: to, username }: UserSummary) => {
      opener.current = document.activeElement;
      setOpened({ id: to, username });
      change(to);
    },
    close: () => {
      change(null);
      const focusTarget = opener.current?.isConnected ? opener.current : page.current;
      if (focusTarget instanceof HTMLElement) focusTarget.focus({ preventScroll: true });
    },
  };
}
