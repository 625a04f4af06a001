/** Which alert the editor shows, from wherever it was asked for; null while it is closed. */
import { useSyncExternalStore } from 'react';
import type { Alert } from '../../shared/supabase/index.ts';

export interface EditedAlert {
  readonly symbol: string;
  /** Null for a new one. */
  readonly alert: Alert | null;
}

let edited: EditedAlert | null = null;
const listeners = new Set<() => void>();

export function openAlertEditor(next: EditedAlert | null): void {
  edited = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useEditedAlert = (): EditedAlert | null => useSyncExternalStore(subscribe, () => edited);
