/** The dialogs, whose code loads with the first use or when the browser is idle. */
import type { ComponentType } from 'react';
import { type LoadCode, lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { Dialog, ErrorState } from '../../../shared/ui/index.ts';
import type { UserAction } from './actions.ts';
import { useDialogContext, useDialogUser } from './dialog-context.ts';

/** `positions` is no dialog: the surrounding screen shows the positions. */
export type DialogAction = Exclude<UserAction, 'positions'> | 'add';

function Missing({ onRetry, retrying }: MissingProps) {
  const { onClose } = useDialogContext();
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title="Dialog not loaded">
      <ErrorState title="This dialog failed to load" onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
}

async function loadFunds(): ReturnType<LoadCode> {
  const { default: FundsDialog } = await import('../money/FundsDialog.tsx');
  return {
    default: function OpenedFunds() {
      return <FundsDialog {...useDialogUser()} />;
    },
  };
}

const loadDialog = {
  add: () => import('./AddUserDialog.tsx'),
  edit: () => import('./EditUserDialog.tsx'),
  assign: () => import('./AssignManagerDialog.tsx'),
  restrict: () => import('./RestrictDialog.tsx'),
  delete: () => import('./DeleteUserDialog.tsx'),
  impersonate: () => import('./ImpersonateDialog.tsx'),
  funds: loadFunds,
} as const satisfies Record<DialogAction, LoadCode>;

export const dialogCode: readonly LoadCode[] = Object.values(loadDialog);

const lazyDialog = (load: LoadCode): ComponentType => lazyCode(load, 'part', Missing);

export const dialogs: Readonly<Record<DialogAction, ComponentType>> = {
  add: lazyDialog(loadDialog.add),
  edit: lazyDialog(loadDialog.edit),
  assign: lazyDialog(loadDialog.assign),
  restrict: lazyDialog(loadDialog.restrict),
  delete: lazyDialog(loadDialog.delete),
  impersonate: lazyDialog(loadDialog.impersonate),
  funds: lazyDialog(loadDialog.funds),
};
