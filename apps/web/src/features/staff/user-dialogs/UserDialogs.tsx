/**
 * Provides the dialogs of the actions on a user; descendants open them. One is open at a time. Invariant: the focus returns to
 * the control that opened the dialog, or to the page when the user's row is gone.
 */
import { createContext, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react';
import { usePrefetch } from '../../../shared/code/usePrefetch.ts';
import { dialogFallback } from '../../../shared/ui/dialog-fallback.tsx';
import type { UserSummary } from './actions.ts';
import { DialogContext, type DialogContextValue } from './dialog-context.ts';
import { type DialogAction, dialogCode, dialogs } from './dialogs.tsx';
import { focusContentAfterDelete, focusMenuTrigger } from './opener-focus.ts';

/** `user` is null for `add` only. `onDone` is called after the server has answered the change. */
export type OpenDialog = (action: DialogAction, user: UserSummary | null, onDone?: () => void) => void;

const OpenDialogContext = createContext<OpenDialog>(() => undefined);
export const useOpenDialog = (): OpenDialog => useContext(OpenDialogContext);

interface DialogRequest {
  readonly action: DialogAction;
  readonly user: UserSummary | null;
  readonly onDone: (() => void) | undefined;
  /** The element that had the focus. */
  readonly opener: Element | null;
}

export function UserDialogs({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<DialogRequest | null>(null);
  usePrefetch(dialogCode);

  const open = useCallback<OpenDialog>((action, user, onDone) => {
    focusMenuTrigger();
    setRequest({ action, user, onDone, opener: document.activeElement });
  }, []);

  const dialogContext = useMemo<DialogContextValue | null>(() => {
    if (request === null) return null;
    return {
      user: request.user,
      onClose: () => setRequest(null),
      onDone: () => {
        if (request.action === 'delete') focusContentAfterDelete(request.opener);
        request.onDone?.();
      },
    };
  }, [request]);

  const Dialog = request === null ? null : dialogs[request.action];
  return (
    <OpenDialogContext value={open}>
      {children}
      {Dialog === null ? null : (
        <DialogContext value={dialogContext}>
          <Suspense fallback={dialogFallback}>
            <Dialog key={request?.user?.id ?? 'nobody'} />
          </Suspense>
        </DialogContext>
      )}
    </OpenDialogContext>
  );
}
