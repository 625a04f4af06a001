/** What the dialogs of the actions on a user are given. */
import type { ShownAccount } from '../shown-account.ts';
import type { UserSummary } from './actions.ts';

export interface DialogProps {
  readonly onClose: () => void;
  /** To be called once the server has answered the change, before `onClose`. */
  readonly onDone: () => void;
}
export interface UserDialogProps extends DialogProps {
  readonly user: UserSummary;
  /** The account that the action is about, where it is about one. */
  readonly account: ShownAccount;
}
