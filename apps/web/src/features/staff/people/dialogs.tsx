/** The dialogs' code, each of which arrives with its first use or once the browser is idle. */
import type { ComponentType } from 'react';
import { type LoadCode, lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { Dialog, ErrorState } from '../../../shared/ui/index.ts';
import type { PersonAct } from './acts.ts';
import { useOpened, useOpenedPerson } from './opened.ts';

/** `positions` is no dialog: whoever shows the person says where their positions are. */
export type DialogAct = Exclude<PersonAct, 'positions'> | 'add';

function Missing({ onRetry, retrying }: MissingProps) {
  const { onClose } = useOpened();
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title="Not here yet">
      <ErrorState title="This dialog could not be fetched" onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
}

async function loadFunds(): ReturnType<LoadCode> {
  const { default: FundsDialog } = await import('../money/FundsDialog.tsx');
  return {
    default: function OpenedFunds() {
      return <FundsDialog {...useOpenedPerson()} />;
    },
  };
}

const loads = {
  add: () => import('./AddUserDialog.tsx'),
  edit: () => import('./EditUserDialog.tsx'),
  assign: () => import('./AssignManagerDialog.tsx'),
  restrict: () => import('./RestrictDialog.tsx'),
  delete: () => import('./DeleteUserDialog.tsx'),
  impersonate: () => import('./ImpersonateDialog.tsx'),
  funds: loadFunds,
} as const satisfies Record<DialogAct, LoadCode>;

export const dialogCode: readonly LoadCode[] = Object.values(loads);

const lazyDialog = (load: LoadCode): ComponentType => lazyCode(load, 'part', Missing);

export const dialogs: Readonly<Record<DialogAct, ComponentType>> = {
  add: lazyDialog(loads.add),
  edit: lazyDialog(loads.edit),
  assign: lazyDialog(loads.assign),
  restrict: lazyDialog(loads.restrict),
  delete: lazyDialog(loads.delete),
  impersonate: lazyDialog(loads.impersonate),
  funds: lazyDialog(loads.funds),
};
