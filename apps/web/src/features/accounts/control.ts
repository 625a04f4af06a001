/** What the lazily loaded dialogs of the accounts need from the switcher that opened them. */
import { createContext, use } from 'react';

interface Control {
  readonly onClose: () => void;
  /** Receives the focus when the dialogs are closed. */
  readonly opener: () => HTMLElement | null;
}

export const AccountsControl = createContext<Control>({ onClose: () => {}, opener: () => null });
export const useAccountsControl = (): Control => use(AccountsControl);
