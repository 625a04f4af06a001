/** In the header of managers and support agents: the username as a button that opens the own account. */
import { useState } from 'react';
import { lazyDialog } from '../../../shared/code/lazy-dialog.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { Avatar } from '../../../shared/ui/index.ts';

const ProfileDialog = lazyDialog(
  () => import('./ProfileDialog.tsx'),
  'Account',
  'The account failed to load',
);

export function ProfileButton() {
  const { user } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
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
      {isOpen ? <ProfileDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
