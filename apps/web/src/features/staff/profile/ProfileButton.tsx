/** In the header of managers and support agents: the username as a button that opens the own account. */
import { Suspense, useMemo, useState } from 'react';
import { lazyCode, type MissingProps } from '../../../shared/code/lazy-code.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { dialogFallback } from '../../../shared/ui/dialog-fallback.tsx';
import { Avatar, Dialog, ErrorState } from '../../../shared/ui/index.ts';
import { ProfileDialogContext, useProfileDialog } from './profile-dialog-context.ts';

function Missing({ onRetry, retrying }: MissingProps) {
  const { onClose } = useProfileDialog();
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title="Account">
      <ErrorState title="The account failed to load" onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
}

const ProfileDialog = lazyCode(() => import('./ProfileDialog.tsx'), 'part', Missing);

export function ProfileButton() {
  const { user } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  const control = useMemo(() => ({ onClose: () => setOpen(false) }), []);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        title="Account"
        className="flex h-9 min-w-0 items-center gap-2 rounded-control py-1 pr-2 pl-1 text-13 font-medium hover:bg-raised max-md:size-11 max-md:shrink-0 max-md:justify-center max-md:p-0"
      >
        <Avatar username={user.username} />
        <span className="sr-only">Account of </span>
        <span className="truncate max-md:sr-only">{user.username}</span>
      </button>
      {isOpen ? (
        <ProfileDialogContext value={control}>
          <Suspense fallback={dialogFallback}>
            <ProfileDialog />
          </Suspense>
        </ProfileDialogContext>
      ) : null}
    </>
  );
}
