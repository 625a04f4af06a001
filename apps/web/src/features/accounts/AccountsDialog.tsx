/**
 * The accounts of the user: what each holds, a link that opens it, and the dialogs that open, rename and archive one. During an
 * impersonation the list is read only. A link opens another load of the page, so a middle click opens a second tab.
 */
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { toAccountPath } from '../../shared/account-address/index.ts';
import { Amount } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Badge, Button, ButtonLink, Dialog, ReadError, Skeleton } from '../../shared/ui/index.ts';
import { AccountDot } from './AccountDot.tsx';
import { ArchiveDialog, CreateDialog, RenameDialog } from './account-dialogs.tsx';
import { describeAccount, getAccountName } from './account-text.ts';
import { type ListedAccount, useAccounts } from './queries.ts';

type View =
  | { readonly name: 'list' | 'create' }
  | { readonly name: 'rename' | 'archive'; readonly account: ListedAccount };

/** This page in another account: the same screen, and the same pair. */
function usePathIn() {
  const { pathname, search } = useLocation();
  const symbol = new URLSearchParams(search).get('symbol');
  const path = symbol === null ? pathname : `${pathname}?symbol=${encodeURIComponent(symbol)}`;
  return ({ id, kind }: Pick<ListedAccount, 'id' | 'kind'>): string =>
    toAccountPath(kind === 'main' ? null : id, path);
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

function Holdings({ openPositions, waitingOrders }: Pick<ListedAccount, 'openPositions' | 'waitingOrders'>) {
  const parts = [
    openPositions > 0 ? counted(openPositions, 'position') : null,
    waitingOrders > 0 ? counted(waitingOrders, 'order') : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : <span>{` · ${parts.join(', ')}`}</span>;
}

interface RowProps {
  readonly account: ListedAccount;
  readonly href: string;
  readonly onView: (view: View) => void;
}

function AccountRow({ account, href, onView }: RowProps) {
  const { accountId, impersonation } = useSignedIn();
  const isShown = account.id === accountId;
  const isArchived = account.status === 'archived';
  const isOwn = account.kind === 'practice' && impersonation === null && !isArchived;
  return (
    <li className="flex items-center gap-1 rounded-control max-md:flex-wrap hover:bg-line/40 has-aria-[current=true]:bg-accent-weak">
      <a
        href={href}
        aria-current={isShown ? 'true' : undefined}
        className="flex min-h-13 min-w-0 grow items-center gap-3 rounded-control px-2.5 py-2 max-md:w-full"
      >
        <AccountDot id={account.kind === 'main' ? null : account.id} />
        <span className="flex min-w-0 grow flex-col">
          <span className="flex min-w-0 items-center gap-2">
            <span className="truncate text-14 font-medium">{getAccountName(account)}</span>
            {isArchived ? <Badge>Archived</Badge> : null}
          </span>
          <span className="text-12 text-text-2">
            {describeAccount(account)}
            <Holdings {...account} />
          </span>
        </span>
        <span className="shrink-0 text-right text-13">
          <Amount value={account.equity} className="font-medium" />
          <span className="block text-11 text-text-3">USDT equity</span>
        </span>
      </a>
      {isOwn ? (
        <span className="flex shrink-0 flex-col pr-1 max-md:flex-row max-md:pl-6">
          <Button tone="quiet" size="compact" onClick={() => onView({ name: 'rename', account })}>
            Rename<span className="sr-only"> {account.name}</span>
          </Button>
          <Button tone="quiet" size="compact" onClick={() => onView({ name: 'archive', account })}>
            Archive<span className="sr-only"> {account.name}</span>
          </Button>
        </span>
      ) : null}
    </li>
  );
}

function AccountList({ onView }: Pick<RowProps, 'onView'>) {
  const accounts = useAccounts();
  const pathIn = usePathIn();
  if (accounts.data === undefined) {
    return accounts.isError ? (
      <ReadError title="The accounts failed to load" reading={accounts} />
    ) : (
      <div className="flex flex-col gap-2" aria-busy="true">
        <Skeleton className="h-13 w-full" />
        <Skeleton className="h-13 w-full" />
      </div>
    );
  }
  return (
    <ul aria-label="Accounts" className="-mx-2.5 flex flex-col gap-0.5">
      {accounts.data.map((account) => (
        <AccountRow key={account.id} account={account} href={pathIn(account)} onView={onView} />
      ))}
    </ul>
  );
}

interface AccountsDialogProps {
  readonly onClose: () => void;
  /** Receives the focus when the dialogs are closed. */
  readonly opener: () => HTMLElement | null;
}

export default function AccountsDialog({ onClose, opener }: AccountsDialogProps) {
  const { impersonation } = useSignedIn();
  const [view, setView] = useState<View>({ name: 'list' });
  const pathIn = usePathIn();
  const back = () => setView({ name: 'list' });
  switch (view.name) {
    case 'create':
      return <CreateDialog onClose={back} onCreated={(account) => location.assign(pathIn(account))} />;
    case 'rename':
      return <RenameDialog account={view.account} onClose={back} />;
    case 'archive':
      return (
        <ArchiveDialog
          account={view.account}
          onClose={back}
          onLeft={() => location.assign(pathIn({ id: view.account.id, kind: 'main' }))}
        />
      );
    case 'list':
      return (
        <Dialog
          open
          onOpenChange={(isOpen) => isOpen || onClose()}
          fallbackFocus={opener}
          title="Trading accounts"
          description={`Each has its own money, positions and history. Two tabs can show two accounts.${
            impersonation === null ? ' A practice account can have an order book and conditional orders.' : ''
          }`}
          actions={
            impersonation === null ? (
              <div className="flex flex-wrap justify-end gap-2">
                <ButtonLink to="/contests" onClick={onClose}>
                  Contests and challenges
                </ButtonLink>
                <Button tone="primary" onClick={() => setView({ name: 'create' })}>
                  <Plus size={16} aria-hidden="true" />
                  New practice account
                </Button>
              </div>
            ) : undefined
          }
        >
          <AccountList onView={setView} />
        </Dialog>
      );
  }
}
