/** The dialog that edits a position; its code loads with the first use. */
import { lazyDialog } from '../../../shared/code/lazy-dialog.tsx';

export const EditPosition = lazyDialog(
  () => import('../money/EditPositionDialog.tsx'),
  'Dialog not loaded',
  'This dialog failed to load',
);
