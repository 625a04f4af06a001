/**
 * The dialogs of what staff do about a person, opened from anywhere beneath it. One is open at a time. Invariant: the focus
 * comes back to the control that opened it, or to the page when that is gone with the person's row.
 */
import { createContext, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react';
import { usePrefetch } from '../../../shared/code/usePrefetch.ts';
import { dialogArriving } from '../../../shared/ui/dialog-arriving.tsx';
import type { Person } from './acts.ts';
import { type DialogAct, dialogCode, dialogs } from './dialogs.tsx';
import { type Opened, OpenedContext } from './opened.ts';
import { keepFocus, returnToOpener } from './opener.ts';

/** `person` is null for `add` only. `onDone` is called after the change was answered. */
export type OpenAct = (act: DialogAct, person: Person | null, onDone?: () => void) => void;

const Acts = createContext<OpenAct>(() => undefined);
export const useAct = (): OpenAct => useContext(Acts);

interface Asked {
  readonly act: DialogAct;
  readonly person: Person | null;
  readonly onDone: (() => void) | undefined;
  /** What had the focus. */
  readonly opener: Element | null;
}

export function PersonActs({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  usePrefetch(dialogCode);

  const open = useCallback<OpenAct>((act, person, onDone) => {
    returnToOpener();
    setAsked({ act, person, onDone, opener: document.activeElement });
  }, []);

  const opened = useMemo<Opened | null>(() => {
    if (asked === null) return null;
    return {
      person: asked.person,
      onClose: () => setAsked(null),
      onDone: () => {
        if (asked.act === 'delete') keepFocus(asked.opener);
        asked.onDone?.();
      },
    };
  }, [asked]);

  const Dialog = asked === null ? null : dialogs[asked.act];
  return (
    <Acts value={open}>
      {children}
      {Dialog === null ? null : (
        <OpenedContext value={opened}>
          <Suspense fallback={dialogArriving}>
            <Dialog key={asked?.person?.id ?? 'nobody'} />
          </Suspense>
        </OpenedContext>
      )}
    </Acts>
  );
}
