/**
 * Provides the dialogs of the actions on a user; descendants open them. One is open at a time. Invariant: the focus returns to
 * the control that opened the dialog, or to the page when the user's row is gone.
 */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { usePrefetch } from '../../../shared/code/usePrefetch.ts';
import { mainAccount, type ShownAccount } from '../shown-account.ts';
import type { UserSummary } from './actions.ts';
import { AddUser, type DialogAction, dialogCode, userDialogs } from './dialogs.tsx';
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

  const dialogOf = ({ action, user, account = mainAccount, opener, onDone }: DialogRequest) => {
    const callbacks = {
      onClose: () => setRequest(null),
      onDone: () => {
        if (action === 'delete') focusContentAfterDelete(opener);
        onDone?.();
      },
    };
    if (action === 'add') return <AddUser {...callbacks} />;
    if (user === null) throw new Error('a user dialog was opened without a user');
    const Dialog = userDialogs[action];
    return <Dialog key={user.id} user={user} account={account} {...callbacks} />;
  };
  return (
    <OpenDialogContext value={open}>
      {children}
      {request === null ? null : dialogOf(request)}
    </OpenDialogContext>
  );
}
