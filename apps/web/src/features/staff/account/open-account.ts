/** How the account dialog closes, for its code, which comes late. */
import { createContext, useContext } from 'react';

interface AccountDialogControl {
  readonly onClose: () => void;
}

export const AccountDialogContext = createContext<AccountDialogControl>({ onClose: () => undefined });
export const useAccountDialog = (): AccountDialogControl => useContext(AccountDialogContext);
