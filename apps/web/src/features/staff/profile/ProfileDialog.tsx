/** The own account of managers and support agents, who have no profile page. */
import { Dialog } from '../../../shared/ui/index.ts';
import { OwnProfile } from './OwnProfile.tsx';

export default function ProfileDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} outside="stays" size="widest" title="Account">
      <OwnProfile />
    </Dialog>
  );
}
