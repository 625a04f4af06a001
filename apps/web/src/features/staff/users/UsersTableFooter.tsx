/** The table's footer: bulk actions at the left, pages at the right. It covers no row. */

import { bulkUsersMax } from '@fulcrum/domain';
import Ban from 'lucide-react/icons/ban';
import CircleCheck from 'lucide-react/icons/circle-check';
import GraduationCap from 'lucide-react/icons/graduation-cap';
import Mail from 'lucide-react/icons/mail';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import UserCog from 'lucide-react/icons/user-cog';
import Wallet from 'lucide-react/icons/wallet';
import X from 'lucide-react/icons/x';
import { Keys } from '../../../shared/actions/index.ts';
import { Pager } from '../../../shared/table/Pager.tsx';
import { Button } from '../../../shared/ui/index.ts';
import type { StaffArea } from '../user-dialogs/index.ts';
import type { BulkKind } from './bulk.ts';
import { formatCount } from './labels.ts';
import { pageSizes, type UsersQuery } from './users-query.ts';

interface SelectionBarProps {
  readonly count: number;
  readonly total: number;
  /** The ids of all matching users are being fetched. */
  readonly isSelecting: boolean;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
  readonly onBulk: (kind: BulkKind) => void;
  /** Of members of a class: actions on their accounts of it. */
  readonly inClass?: true;
  /** The role decides which actions there are. */
  readonly area: StaffArea;
}

const bulkActions = [
  ['assign', 'Assign manager', UserCog],
  ['restrict', 'Restrict', Ban],
  ['lift', 'Lift restriction', CircleCheck],
  ['funds', 'Adjust funds', Wallet],
  ['reset', 'Reset', RotateCcw],
  ['class', 'Add to class', GraduationCap],
  ['invite', 'Invite again', Mail],
] as const satisfies readonly (readonly [BulkKind, string, typeof Ban])[];

export function SelectionBar(props: SelectionBarProps) {
  const { count, total, isSelecting, onSelectAll, onClear, onBulk, inClass, area } = props;
  const actions = bulkActions.filter(([kind]) =>
    // Who manages a trader is no matter of a class.
    area === 'manager' ? kind === 'funds' : !(inClass && kind === 'assign'),
  );
  const selectableMax = Math.min(total, bulkUsersMax);
  return (
    <section aria-label="Selected users" className="flex flex-wrap items-center gap-x-1 gap-y-1">
      <span role="status" className="figures mr-1 flex items-center gap-2 text-12 font-semibold">
        <span className="inline-grid h-[22px] min-w-[22px] place-items-center rounded-full bg-accent px-1.5 text-11 text-on-fill">
          {formatCount(count)}
        </span>
        selected
      </span>
      {count < selectableMax ? (
        <Button
          tone="quiet"
          size="compact"
          className="!text-accent"
          pending={isSelecting}
          onClick={onSelectAll}
        >
          {total > bulkUsersMax
            ? `Select the ${inClass ? 'first' : 'newest'} ${bulkUsersMax}`
            : `Select all ${formatCount(total)}`}
        </Button>
      ) : null}
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-line-strong max-md:hidden" />
      {actions.map(([kind, label, Icon]) => (
        <Button key={kind} tone="quiet" size="compact" onClick={() => onBulk(kind)}>
          <Icon size={14} aria-hidden="true" />
          {inClass && kind === 'class' ? 'Move to class' : label}
        </Button>
      ))}
      <Button tone="quiet" size="compact" onClick={onClear}>
        <X size={14} aria-hidden="true" />
        Clear
        {inClass || area === 'manager' ? null : (
          <span aria-hidden="true" className="max-lg:hidden">
            <Keys keys="Esc" />
          </span>
        )}
      </Button>
    </section>
  );
}

interface UsersPagerProps {
  readonly query: UsersQuery;
  readonly total: number;
  readonly onPage: (page: number) => void;
  /** Absent where the number of rows per page is fixed. */
  readonly onSize?: (size: number) => void;
}

export function UsersPager({ query, total, onPage, onSize }: UsersPagerProps) {
  return (
    <div className="ml-auto flex items-center gap-3">
      {onSize === undefined ? null : (
        <label className="flex items-center gap-2 text-12 text-text-2 max-md:hidden">
          Rows
          <select
            value={query.size}
            onChange={({ target }) => onSize(Number(target.value))}
            className="control h-7 px-1.5 text-12"
          >
            {pageSizes.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      )}
      <Pager what="users" one="user" page={query.page} pageRows={query.size} total={total} onPage={onPage} />
    </div>
  );
}
