/**
 * The manager's traders, one a row, on a phone one block each (MGR-02 to MGR-07). The name is a button that selects the user,
 * and so does a click on the row. The selected row has a marked edge.
 */
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import Eye from 'lucide-react/icons/eye';
import Wallet from 'lucide-react/icons/wallet';
import { SortHead } from '../../../shared/table/SortHead.tsx';
import type { Sorted } from '../../../shared/table/sort.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import { Avatar, IconButton, Skeleton, Table, Td, Th, Tr, usePhone } from '../../../shared/ui/index.ts';
import { actionsFor, EmailAddress, type UserAction } from '../user-dialogs/index.ts';
import type { ManagedSort, ManagedUser } from './managed-users.ts';

const actionVariants = {
  impersonate: { name: 'Impersonate', Icon: Eye },
  positions: { name: 'View positions of', Icon: ChartCandlestick },
  funds: { name: 'Manage funds of', Icon: Wallet },
} as const;
const isOffered = (action: UserAction): action is keyof typeof actionVariants => action in actionVariants;

/** The id of the row that gets the focus back after the user's page closes. */
export const rowId = (userId: string): string => `managed-${userId}`;

export interface ManagedRowsProps {
  /** Undefined while loading. */
  readonly users: readonly ManagedUser[] | undefined;
  readonly selectedId: string | null;
  readonly sorted: Sorted<ManagedSort>;
  readonly onSort: (column: ManagedSort) => void;
  readonly onAction: (action: 'impersonate' | 'positions' | 'funds', user: ManagedUser) => void;
}

type RowActionsProps = Pick<ManagedRowsProps, 'onAction'> & { readonly user: ManagedUser };

function RowActions({ user, onAction }: RowActionsProps) {
  return (
    <span className="relative z-10 inline-flex">
      {actionsFor(user, 'manager')
        .filter(isOffered)
        .map((action) => {
          const { name, Icon } = actionVariants[action];
          return (
            <IconButton
              key={action}
              label={`${name} ${user.username}`}
              className="!size-7 max-md:!size-11 !text-text-3 group-hover:!text-text hover:!text-text group-aria-[current=true]:!text-text-2"
              onClick={(event) => {
                event.stopPropagation();
                onAction(action, user);
              }}
            >
              <Icon size={15} aria-hidden="true" />
            </IconButton>
          );
        })}
    </span>
  );
}

function Name({ user, onAction }: RowActionsProps) {
  return (
    <button
      type="button"
      id={rowId(user.id)}
      onClick={(event) => {
        event.stopPropagation();
        onAction('positions', user);
      }}
      className="flex max-w-full min-w-0 items-center gap-2 text-left font-semibold outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      <Avatar username={user.username} size="small" />
      <span className="sr-only">Show </span>
      <bdi className="truncate" title={user.username}>
        {user.username}
      </bdi>
    </button>
  );
}

const sortableColumns = [
  ['username', 'Username'],
  ['email', 'Email'],
  ['created_at', 'Created At'],
  ['last_login', 'Last Login'],
] as const satisfies readonly (readonly [ManagedSort, string])[];
const columnClass: Readonly<Record<ManagedSort, string>> = {
  username: 'w-[152px]',
  email: '!px-2',
  created_at: 'w-[96px] !px-2',
  last_login: 'w-[96px] !px-2',
};

const placeholders = Array.from({ length: 8 }, (_, row) => (
  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place
  <tr key={row} className="h-11 border-b border-line/65">
    <td colSpan={sortableColumns.length + 1} className="px-[18px]">
      <span className="flex items-center gap-3">
        <Skeleton className="size-7 shrink-0 rounded-full" />
        <Skeleton className="h-3.5 w-28" />
        <Skeleton className="h-3.5 w-36" />
        <Skeleton className="ml-auto h-3.5 w-40" />
      </span>
    </td>
  </tr>
));

function WideRows({ users, selectedId, sorted, onSort, onAction }: ManagedRowsProps) {
  return (
    <Table
      caption="Managed users"
      className="min-w-[548px] table-fixed"
      head={
        <>
          {sortableColumns.map(([column, label]) => (
            <SortHead
              key={column}
              column={column}
              label={label}
              sorted={sorted}
              onSort={onSort}
              className={columnClass[column]}
            />
          ))}
          <Th numeric className="w-[104px] !pl-0">
            Actions
          </Th>
        </>
      }
    >
      {users === undefined
        ? placeholders
        : users.map((user) => (
            <Tr
              key={user.id}
              aria-current={user.id === selectedId || undefined}
              onClick={() => onAction('positions', user)}
              className="group relative !h-11 cursor-pointer aria-[current=true]:!bg-accent-weak aria-[current=true]:shadow-[inset_3px_0_0_var(--accent)] aria-[current=true]:[&_.text-text-3]:text-text-2"
            >
              <Td>
                <Name user={user} onAction={onAction} />
              </Td>
              <Td className="!px-2 !text-12 text-text-2">
                <EmailAddress email={user.email} />
              </Td>
              <Td className="figures !px-2 !text-12 whitespace-nowrap text-text-2">
                {formatDay(user.created_at)}
              </Td>
              <Td
                className={`figures !px-2 !text-12 whitespace-nowrap ${user.last_login === null ? 'text-text-3' : 'text-text-2'}`}
              >
                {formatDay(user.last_login)}
              </Td>
              <Td numeric className="!pl-0">
                <RowActions user={user} onAction={onAction} />
              </Td>
            </Tr>
          ))}
    </Table>
  );
}

function NarrowRows({ users, onAction }: ManagedRowsProps) {
  if (users === undefined) {
    return (
      <div aria-busy="true">
        {['a', 'b', 'c', 'd', 'e'].map((row) => (
          <div
            key={row}
            className="flex h-[116px] flex-col justify-center gap-2 border-b border-line/65 px-4"
          >
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3.5 w-4/5" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul aria-label="Managed users">
      {users.map((user) => (
        <li
          key={user.id}
          className="group relative flex flex-col gap-0.5 border-b border-line/65 px-4 pt-2.5 pb-1 last:border-b-0 max-[359px]:px-3"
        >
          <Name user={user} onAction={onAction} />
          <EmailAddress email={user.email} className="text-12 text-text-2" />
          <span className="flex items-center justify-between gap-3 text-12 text-text-3 max-[359px]:gap-1">
            <span>
              Created {formatDay(user.created_at)},
              <span className="block">last login {formatDay(user.last_login)}</span>
            </span>
            <RowActions user={user} onAction={onAction} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function ManagedRows(props: ManagedRowsProps) {
  const phone = usePhone();
  return phone ? <NarrowRows {...props} /> : <WideRows {...props} />;
}
