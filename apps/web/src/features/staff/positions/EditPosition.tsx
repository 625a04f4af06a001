/** The dialog that edits a position; its code loads with the first use. */
import { createContext, Suspense, useContext } from 'react';
import { type LoadCode, lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { dialogFallback } from '../../../shared/ui/dialog-fallback.tsx';
import { Dialog, ErrorState } from '../../../shared/ui/index.ts';
import type { EditPositionDialogProps } from '../money/EditPositionDialog.tsx';

const Opened = createContext<EditPositionDialogProps>({ positionId: '', onClose: () => undefined });

function Missing({ onRetry, retrying }: MissingProps) {
  const { onClose } = useContext(Opened);
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title="Dialog not loaded">
      <ErrorState title="This dialog failed to load" onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
}

const load: LoadCode = async () => {
  const { default: EditPositionDialog } = await import('../money/EditPositionDialog.tsx');
  return {
    default: function OpenedPosition() {
      return <EditPositionDialog {...useContext(Opened)} />;
    },
  };
};
const LazyDialog = lazyCode(load, 'part', Missing);

export function EditPosition(props: EditPositionDialogProps) {
  return (
    <Opened value={props}>
      <Suspense fallback={dialogFallback}>
        <LazyDialog />
      </Suspense>
    </Opened>
  );
}
