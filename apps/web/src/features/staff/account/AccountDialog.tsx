/** The own account of managers and support agents, who have no page for it. */
import { Dialog } from '../../../shared/ui/index.ts';
import { OwnAccount } from './OwnAccount.tsx';
import { useAccountDialog } from './open-account.ts';

export default function AccountDialog() {
  const { onClose } = useAccountDialog();
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} outside="stays" size="widest" title="Account">
      <OwnAccount />
    </Dialog>
  );
}
