/** The dialogs, whose code loads with the first use or when the browser is idle. */
import type { ComponentType } from 'react';
import type { LoadCode } from '../../../shared/code/lazy-code.tsx';
import { lazyDialog } from '../../../shared/code/lazy-dialog.tsx';
import type { UserAction } from './actions.ts';
import type { DialogProps, UserDialogProps } from './dialog-props.ts';

/** `positions` is no dialog: the surrounding screen shows the positions. */
type ActionOnUser = Exclude<UserAction, 'positions'>;
export type DialogAction = ActionOnUser | 'add';

const loadAdd: LoadCode<DialogProps> = () => import('./AddUserDialog.tsx');
const loadDialog: Readonly<Record<ActionOnUser, LoadCode<UserDialogProps>>> = {
  edit: () => import('./EditUserDialog.tsx'),
  assign: () => import('./AssignManagerDialog.tsx'),
  restrict: () => import('./RestrictDialog.tsx'),
  delete: () => import('./DeleteUserDialog.tsx'),
  impersonate: () => import('./ImpersonateDialog.tsx'),
  funds: () => import('../money/FundsDialog.tsx'),
};

export const dialogCode = [loadAdd, ...Object.values(loadDialog)];

const lazy = <Props extends DialogProps>(load: LoadCode<Props>): ComponentType<Props> =>
  lazyDialog(load, 'Dialog not loaded', 'This dialog failed to load');

export const AddUser = lazy(loadAdd);
export const userDialogs: Readonly<Record<ActionOnUser, ComponentType<UserDialogProps>>> = {
  edit: lazy(loadDialog.edit),
  assign: lazy(loadDialog.assign),
  restrict: lazy(loadDialog.restrict),
  delete: lazy(loadDialog.delete),
  impersonate: lazy(loadDialog.impersonate),
  funds: lazy(loadDialog.funds),
};
