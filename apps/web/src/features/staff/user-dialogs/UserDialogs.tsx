/**
 * Provides the dialogs of the actions on a user; descendants open them. One is open at a time. Invariant: the focus returns to
 * the control that opened the dialog, or to the page when the user's row is gone.
 */
import { createContext, type ReactNode, Suspense, useCallback, useContext, useMemo, useState } from 'react';
import { usePrefetch } from '../../../shared/code/usePrefetch.ts';
import { dialogFallback } from '../../../shared/ui/dialog-fallback.tsx';
import { mainAccount, type ShownAccount } from '../shown-account.ts';
import type { UserSummary } from './actions.ts';
import { DialogContext, type DialogContextValue } from './dialog-context.ts';
import { type DialogAction, dialogCode, dialogs } from './dialogs.tsx';
import { focusContentAfterDelete, focusMenuTrigger } from './opener-focus.ts';

export interface OpenDialogOptions {
  /** Called after the server has answered the change. */
  readonly onDone?: () => void;
  /** Of the user; the main one by default. */
  readonly account?: ShownAccount | undefined;
}
/** `user` is null for `add` only. */
export type OpenDialog = (
  action: DialogAction,
  user: UserSummary | null,
  options?: OpenDialogOptions,
) => void;

const OpenDialogContext = createContext<OpenDialog>(() => undefined);
export const useOpenDialog = (): OpenDialog => useContext(OpenDialogContext);

interface DialogRequest extends OpenDialogOptions {
  readonly action: DialogAction;
  readonly user: UserSummary | null;
  /** The element that had the focus. */
  readonly opener: Element | null;
}

export function UserDialogs({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<DialogRequest | null>(null);
  usePrefetch(dialogCode);

  const open = useCallback<OpenDialog>((action, user, options) => {
    focusMenuTrigger();
    setRequest({ action, user, ...options, opener: document.activeElement });
  }, []);

  const dialogContext = useMemo<DialogContextValue | null>(() => {
    if (request === null) return null;
    return {
      user: request.user,
      account: request.account ?? mainAccount,
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
