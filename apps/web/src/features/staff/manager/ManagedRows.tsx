/**
 * The manager's traders, one a row (MGR-02 to MGR-07). The name is a button that selects the user and covers the row. The selected
 * row has a marked edge.
 */
import { texts } from '@fulcrum/contract/texts';
import { type Column, DataTable, type DataTableProps } from '../../../shared/table/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import { Avatar, IconButton } from '../../../shared/ui/index.ts';
import { actionsFor, EmailAddress, type UserAction } from '../user-dialogs/index.ts';
import { actionVariants } from '../users/RowMenu.tsx';
import type { ManagedSort, ManagedUser } from './managed-users.ts';

/** The id of the row that gets the focus back after the user's page closes. */
export const rowId = (userId: string): string => `managed-${userId}`;

export type OnManagedAction = (action: UserAction, user: ManagedUser) => void;

interface RowActionsProps {
  readonly user: ManagedUser;
  readonly onAction: OnManagedAction;
}

function RowActions({ user, onAction }: RowActionsProps) {
  return (
    <span className="relative z-10 inline-flex">
      {actionsFor(user, 'manager').map((action) => {
        const { of, Icon } = actionVariants[action];
        return (
          <IconButton
            key={action}
            label={`${of} ${user.username}`}
            className="!size-7 max-md:!size-11 !text-text-3 group-hover/row:!text-text hover:!text-text group-aria-[current=true]/row:!text-text-2"
            onClick={() => onAction(action, user)}
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
      onClick={() => onAction('positions', user)}
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

const Day = ({ iso }: { readonly iso: string | null }) => (
  <span className={`figures whitespace-nowrap ${iso === null ? 'text-text-3' : ''}`}>{formatDay(iso)}</span>
);

const toColumns = (onAction: OnManagedAction): readonly Column<ManagedUser, ManagedSort>[] => [
  {
    head: 'Username',
    sort: 'username',
    width: '112px',
    className: 'w-[152px]',
    card: '1 start',
    cell: (user) => <Name user={user} onAction={onAction} />,
  },
  {
    head: 'Email',
    sort: 'email',
    width: '144px',
    className: '!px-2',
    card: '2 start',
    cell: ({ email }) => <EmailAddress email={email} />,
  },
  {
    head: 'Created At',
    sort: 'created_at',
    width: '64px',
    className: 'w-[96px] !px-2',
    card: '3 start',
    cardCell: ({ created_at: created, last_login: login }) => (
      <span className="text-text-3">
        Created {formatDay(created)},<span className="block">last login {formatDay(login)}</span>
      </span>
    ),
    cell: ({ created_at: at }) => <Day iso={at} />,
  },
  {
    head: 'Last Login',
    sort: 'last_login',
    width: '64px',
    className: 'w-[96px] !px-2',
    cell: ({ last_login: at }) => <Day iso={at} />,
  },
  {
    head: 'Actions',
    width: '80px',
    numeric: true,
    className: 'w-[104px] !pl-0',
    card: '3 end',
    cell: (user) => <RowActions user={user} onAction={onAction} />,
  },
];

type ManagedRowsProps = Omit<DataTableProps<ManagedUser, ManagedSort>, 'caption' | 'columns' | 'failed'> & {
  readonly onAction: OnManagedAction;
};

export function ManagedRows({ onAction, ...rows }: ManagedRowsProps) {
  return (
    <DataTable
      {...rows}
      caption="Managed users"
      columns={toColumns(onAction)}
      failed={texts.managedUsersFailed}
      placeholders={8}
      rowHeight={44}
      cardHeight={116}
      tableClassName="min-w-[548px] table-fixed"
    />
  );
}
