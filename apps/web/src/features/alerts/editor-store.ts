/** Which alert the editor shows, from wherever it was asked for; null while it is closed. */
import { useSyncExternalStore } from 'react';
import { createListeners } from '../../shared/listeners/listeners.ts';
import type { Alert } from '../../shared/supabase/index.ts';

export interface EditedAlert {
  readonly symbol: string;
  /** Null for a new one. */
  readonly alert: Alert | null;
}

let edited: EditedAlert | null = null;
const { subscribe, notify } = createListeners();

export function openAlertEditor(next: EditedAlert | null): void {
  edited = next;
  notify();
}

export const useEditedAlert = (): EditedAlert | null => useSyncExternalStore(subscribe, () => edited);
