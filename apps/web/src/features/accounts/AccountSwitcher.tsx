/** The account of this page in the header; a press opens the list of the user's accounts, whose code loads then. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyCode } from '../../shared/code/lazy-code.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { dialogFallback } from '../../shared/ui/dialog-fallback.tsx';
import { showToast } from '../../shared/ui/index.ts';

/** A dialog of its own would be part of every page. */
function Missing({ onClose }: { readonly onClose: () => void }) {
  useEffect(() => {
    showToast('error', 'The accounts failed to load');
    onClose();
  }, [onClose]);
  return null;
}

const AccountsDialog = lazyCode(() => import('./AccountsDialog.tsx'), 'part', Missing);

export function AccountSwitcher() {
  const { account } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const name = account?.name ?? 'Main account';
  return (
    <>
      <button
        ref={button}
        type="button"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        aria-label={`Account: ${name}`}
        className="flex h-8 min-w-0 items-center gap-1.5 rounded-control px-2 text-13 font-medium text-text-2 hover:bg-raised hover:text-text max-md:h-11"
      >
        {account === null ? null : (
          // AccountFrame sets the colour.
          <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full bg-(--account-colour)" />
        )}
        <span className={`truncate ${account === null ? '' : 'max-w-32 text-text md:max-xl:max-w-16'}`}>
          {account === null ? 'Main' : name}
        </span>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
      </button>
      {isOpen ? (
        <Suspense fallback={dialogFallback}>
          <AccountsDialog onClose={() => setOpen(false)} opener={() => button.current} />
        </Suspense>
      ) : null}
    </>
  );
}
