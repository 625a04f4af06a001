/** Context of the open dialog: its user and its callbacks. The dialogs load lazily and read it here. */
import { createContext, useContext } from 'react';
import type { ShownAccount } from '../shown-account.ts';
import type { UserSummary } from './actions.ts';

export interface DialogContextValue {
  /** Null in the Add User dialog. */
  readonly user: UserSummary | null;
  /** The account that the action is about, where it is about one. */
  readonly account: ShownAccount;
  readonly onClose: () => void;
  /** To be called once the server has answered the change, before `onClose`. */
  readonly onDone: () => void;
}

export const DialogContext = createContext<DialogContextValue | null>(null);

export function useDialogContext(): DialogContextValue {
  const context = useContext(DialogContext);
  if (context === null) throw new Error('a user dialog was rendered outside of UserDialogs');
  return context;
}

/** For the dialogs about an existing user. */
export function useDialogUser(): Omit<DialogContextValue, 'user'> & { readonly user: UserSummary } {
  const { user, ...rest } = useDialogContext();
  if (user === null) throw new Error('a user dialog was opened without a user');
  return { user, ...rest };
}
