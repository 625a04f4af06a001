/**
 * Whose positions the Overview shows (A76): in the address, so that a link opens it. Closing it gives the focus back to what
 * opened it and takes the filters of these tables out of the address.
 */
import { type RefObject, useRef, useState } from 'react';
import { useAddressParams } from '../../../shared/in-place/index.ts';
import type { Person } from '../people/index.ts';

const name = 'positions';
const isOfTables = (key: string): boolean => key.startsWith('open_') || key.startsWith('closed_');

export interface ShownPerson {
  readonly id: string;
  /** Null: known by the address alone. */
  readonly username: string | null;
}

export function useShownPerson(page: RefObject<HTMLElement | null>) {
  const [search, setSearch] = useAddressParams();
  const [opened, setOpened] = useState<Pick<Person, 'id' | 'username'> | null>(null);
  const opener = useRef<Element | null>(null);
  const id = search.get(name);
  const shown: ShownPerson | null =
    id === null ? null : { id, username: opened?.id === id ? opened.username : null };

  const change = (to: string | null) =>
    setSearch(
      (before) => {
        const kept = [...before].filter(([key]) => key !== name && !isOfTables(key));
        return new URLSearchParams(to === null ? kept : [...kept, [name, to]]);
      },
      { preventScrollReset: true },
    );

  return {
    shown,
    show: ({ id: to, username }: Person) => {
      opener.current = document.activeElement;
      setOpened({ id: to, username });
      change(to);
    },
    close: () => {
      change(null);
      const back = opener.current?.isConnected ? opener.current : page.current;
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    },
  };
}
