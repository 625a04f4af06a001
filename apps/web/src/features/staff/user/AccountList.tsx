/** The trading accounts of a user, one a row. Where there are several, the name is a button that shows the account on the page. */
import type { AccountStatus } from '@fulcrum/domain';
import type { ReactNode } from 'react';
import { accountKindNames } from '../../../shared/account/account-kinds.ts';
import { Amount } from '../../../shared/numbers/index.ts';
import { type Column, DataTable, type Reading } from '../../../shared/table/index.ts';
import { ReadError, Skeleton } from '../../../shared/ui/index.ts';
import type { ShownAccount } from '../shown-account.ts';
import type { TradingAccount } from './accounts.ts';

const statusLabels = { active: 'Active', archived: 'Archived' } as const satisfies Record<
  AccountStatus,
  string
>;

const failed = 'Failed to load the accounts';

interface NameProps {
  readonly name: string;
  readonly onShow: (() => void) | null;
}

function Name({ name, onShow }: NameProps) {
  const label = (
    <bdi className="truncate" title={name}>
      {name}
    </bdi>
  );
  if (onShow === null) return <span className="flex min-w-0 font-medium text-text">{label}</span>;
  return (
    <button
      type="button"
      onClick={onShow}
      className="flex min-h-6 max-w-full min-w-0 items-center text-left font-medium text-text outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent max-md:min-h-11"
    >
      <span className="sr-only">Show account </span>
      {label}
    </button>
  );
}

const toColumns = (onShow: ((id: string) => void) | null): readonly Column<TradingAccount>[] => [
  {
    head: 'Account',
    width: '96px',
    card: '1 start',
    cellClassName: 'max-w-56',
    cell: ({ id, name }) => <Name name={name} onShow={onShow && (() => onShow(id))} />,
  },
  { head: 'Kind', width: '56px', card: 'line', cell: ({ kind }) => accountKindNames[kind] },
  { head: 'Status', width: '48px', card: 'line', cell: ({ status }) => statusLabels[status] },
  {
    head: 'Balance (USDT)',
    numeric: true,
    width: '72px',
    card: '1 end',
    cell: ({ balance }) => <Amount value={balance} />,
  },
  {
    head: 'Equity (USDT)',
    numeric: true,
    width: '72px',
    card: 'line',
    cardLabel: 'Equity',
    cell: ({ equity }) => <Amount value={equity} />,
  },
  {
    head: 'Open positions',
    numeric: true,
    width: '24px',
    card: 'line',
    cell: ({ open_positions: count }) => count,
  },
  {
    head: 'Waiting orders',
    numeric: true,
    width: '24px',
    card: 'line',
    cell: ({ waiting_orders: count }) => count,
  },
];

interface AccountListProps {
  readonly user: { readonly id: string; readonly username: string };
  readonly reading: Reading & { readonly data: readonly TradingAccount[] | undefined };
  readonly shown: ShownAccount;
  readonly onShow: (id: string) => void;
}

export function AccountList({ user, reading, shown, onShow }: AccountListProps) {
  const { data: accounts } = reading;
  const isOne = accounts !== undefined && accounts.length === 1;
  return (
    <section aria-labelledby="accounts" className="panel overflow-hidden">
      <h2 id="accounts" className="border-b border-line px-4 py-1.5 text-14 leading-7 font-semibold">
        Accounts
      </h2>
      {accounts === undefined && !reading.isError ? (
        <div aria-busy="true" className="flex h-[68px] items-center px-4">
          <Skeleton className="h-4 w-full" />
        </div>
      ) : (
        <DataTable
          caption={`Accounts of ${user.username}`}
          columns={toColumns(isOne ? null : onShow)}
          rows={accounts}
          reading={reading}
          failed={failed}
          empty={null}
          currentId={isOne ? null : (shown.id ?? user.id)}
          rowHeight={36}
          tableClassName="whitespace-nowrap"
        />
      )}
    </section>
  );
}

interface AccountUnknownProps {
  readonly reading: Reading;
  /** While the accounts are being read. */
  readonly fallback: ReactNode;
}

/** In place of an account that the address names, until the accounts are read. */
export function AccountUnknown({ reading, fallback }: AccountUnknownProps) {
  if (!reading.isError) return fallback;
  return (
    <div className="panel">
      <ReadError title={failed} reading={reading} />
    </div>
  );
}
