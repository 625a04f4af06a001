/** The users, one a row, or the reason why there are none: no users, no matches, or a failed request. */
import { texts } from '@fulcrum/contract/texts';
import {
  type Column,
  type ColumnChoice,
  DataTable,
  type DataTableProps,
  EmptyAction,
} from '../../../shared/table/index.ts';
import { Button, EmptyState } from '../../../shared/ui/index.ts';
import type { StaffArea, UserAction, UserSummary } from '../user-dialogs/index.ts';
import { userColumns } from './columns.tsx';
import type { ListedUser, Sort } from './listed-user.ts';
import { RowMenu } from './RowMenu.tsx';
import { orderLabel } from './user-order.ts';
import { isNarrowed, type UsersQuery } from './users-query.ts';
import type { Selection } from './useSelection.ts';

interface UserRowsProps
  extends Omit<DataTableProps<ListedUser, Sort>, 'caption' | 'columns' | 'failed' | 'empty'> {
  readonly query: UsersQuery;
  readonly area: StaffArea;
  readonly variant: 'full' | 'plain';
  readonly marks: Selection;
  readonly onAction: (action: UserAction, user: UserSummary) => void;
  readonly onClear: () => void;
  readonly onAdd: () => void;
}

const layouts = {
  full: { height: 'min-h-[320px]', rowHeight: 37, card: 'pl-1', actions: 'w-[96px]', buttons: ['edit'] },
  plain: {
    height: 'min-h-[180px]',
    rowHeight: 30,
    card: 'pl-3',
    actions: 'w-[116px]',
    buttons: ['positions', 'funds'],
  },
} as const;

function EmptyUsers({ query, onClear, onAdd }: Pick<UserRowsProps, 'query' | 'onClear' | 'onAdd'>) {
  if (isNarrowed(query)) {
    return (
      <EmptyState
        title="No users match these filters"
        action={<EmptyAction onPress={onClear}>Clear filters</EmptyAction>}
      >
        Remove a filter or search for something else.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No users yet" action={<Button onClick={onAdd}>Add User</Button>}>
      Traders who register and users you add appear here.
    </EmptyState>
  );
}

/**
 * By the number of columns beyond the default: below these widths the table scrolls sideways. The email takes what the
 * others leave, which is 210 px at least.
 */
const minWidths = [
  '',
  'with-more md:min-w-[860px] lg:min-w-[1170px]',
  'with-more md:min-w-[960px] lg:min-w-[1290px]',
  'with-more md:min-w-[1080px] lg:min-w-[1410px]',
  'with-more md:min-w-[1200px] lg:min-w-[1500px]',
] as const;

/** Without its Email column a table has space for one further column. */
function tableClassOf(chosen: ColumnChoice): string {
  const added = userColumns.filter(({ head, choice }) => choice === 'hidden' && chosen[head] === true).length;
  const isWithoutEmail = chosen.Email === false;
  return `table-fixed ${minWidths[Math.max(0, added - (isWithoutEmail ? 1 : 0))] ?? ''} ${isWithoutEmail ? 'without-email' : ''}`;
}

const noChoice: ColumnChoice = {};

export function UserRows({ query, area, variant, marks, onAction, onClear, onAdd, ...table }: UserRowsProps) {
  const { height, rowHeight, card, actions, buttons } = layouts[variant];
  const { rows, reading, chosen = noChoice } = table;
  const isBlank = rows === undefined ? reading.isError : rows.length === 0;
  const actionsColumn: Column<ListedUser, Sort> = {
    head: 'Actions',
    width: '56px',
    numeric: true,
    className: actions,
    card: 'edge',
    cardCell: (user) => <RowMenu user={user} area={area} buttons={[]} onAction={onAction} />,
    cell: (user) => <RowMenu user={user} area={area} buttons={buttons} onAction={onAction} />,
  };
  return (
    <DataTable
      {...table}
      caption={`Users, sorted by ${orderLabel(query)}`}
      columns={[...userColumns, actionsColumn]}
      failed={texts.loadUsersFailed}
      empty={<EmptyUsers query={query} onClear={onClear} onAdd={onAdd} />}
      sorted={query}
      selection={variant === 'full' ? { ...marks, label: ({ username }) => `Select ${username}` } : undefined}
      placeholders={query.size}
      rowHeight={rowHeight}
      cardHeight={124}
      className={isBlank ? `grid place-items-center ${height}` : ''}
      tableClassName={tableClassOf(chosen)}
      cardClassName={`border-b border-line/65 py-1.5 pr-1 last:border-b-0 ${card}`}
    />
  );
}
