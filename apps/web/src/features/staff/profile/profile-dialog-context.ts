/** Passes the close callback to the account dialog, whose code loads lazily. */
import { createContext, useContext } from 'react';

interface ProfileDialogControl {
  readonly onClose: () => void;
}

export const ProfileDialogContext = createContext<ProfileDialogControl>({ onClose: () => undefined });
export const useProfileDialog = (): ProfileDialogControl => useContext(ProfileDialogContext);
