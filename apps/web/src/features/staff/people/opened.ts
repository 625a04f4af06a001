/** The dialog that is open: whom it is about, and how it ends. Each dialog reads it here, because its code comes late. */
import { createContext, useContext } from 'react';
import type { Person } from './acts.ts';

export interface Opened {
  /** Null while somebody is being added. */
  readonly person: Person | null;
  readonly onClose: () => void;
  /** To be called once the change was answered, before `onClose`. */
  readonly onDone: () => void;
}

export const OpenedContext = createContext<Opened | null>(null);

export function useOpened(): Opened {
  const opened = useContext(OpenedContext);
  if (opened === null) throw new Error('a dialog about a person outside of PersonActs');
  return opened;
}

/** For the dialogs that are about somebody. */
export function useOpenedPerson(): Omit<Opened, 'person'> & { readonly person: Person } {
  const { person, ...rest } = useOpened();
  if (person === null) throw new Error('a dialog about a person was opened without one');
  return { person, ...rest };
}
