/** The user rows: a sortable table, on a phone one card for each user. */
import Ban from 'lucide-react/icons/ban';
import { Link } from 'react-router';
import { SelectBox } from '../../../shared/table/SelectBox.tsx';
import { SortHead } from '../../../shared/table/SortHead.tsx';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';
import {
  Avatar,
  Badge,
  SkeletonRows,
  Table,
  Td,
  Th,
  Tr,
  useMediaQuery,
  usePhone,
} from '../../../shared/ui/index.ts';
import {
  EmailAddress,
  roleLabels,
  type StaffArea,
  type UserAction,
  type UserSummary,
} from '../user-dialogs/index.ts';
import { columnLabels, kycVariants, noManager, orderLabel } from './labels.ts';
import { RowMenu } from './RowMenu.tsx';
import type { ListedUser, Sort, UsersQuery } from './users-query.ts';
import type { Selection } from './useSelection.ts';

interface UserRowsProps {
  /** Undefined while they are being read. */
  readonly rows: readonly ListedUser[] | undefined;
  readonly query: UsersQuery;
  readonly onSort: (column: Sort) => void;
  readonly area: StaffArea;
  readonly variant: 'full' | 'plain';
  readonly selection: Selection;
  readonly onAction: (action: UserAction, user: UserSummary) => void;
}

const buttonsByVariant = {
  full: ['edit'],
  plain: ['positions', 'funds'],
} as const satisfies Record<UserRowsProps['variant'], readonly UserAction[]>;

function Name({ user, size }: { readonly user: ListedUser; readonly size: 'small' | 'regular' }) {
  const { word, Icon, colour } = kycVariants[user.kyc_status];
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Avatar username={user.username} size={size} />
      <Link
        to={`/admin/users/${user.id}`}
        title={user.username}
        className="min-w-0 truncate rounded-badge py-0.5 font-medium hover:underline max-md:py-3"
      >
        <bdi>{user.username}</bdi>
      </Link>
      <span
        role="img"
        aria-label={`KYC ${word.toLowerCase()}`}
        title={`KYC ${word.toLowerCase()}`}
        className={colour}
      >
        <Icon size={12} aria-hidden="true" />
      </span>
      {user.restricted_at === null ? null : (
        <Badge tone="down">
          <Ban size={11} aria-hidden="true" className="mr-1 shrink-0 md:max-lg:mr-0" />
          <span className="md:max-lg:sr-only">Restricted</span>
        </Badge>
      )}
    </span>
  );
}

function Manager({ user }: { readonly user: ListedUser }) {
  if (user.role !== 'trader') return <span className="text-text-3">–</span>;
  if (user.manager === null) return <span className="text-warn">{noManager}</span>;
  return <bdi>{user.manager.username}</bdi>;
}

function Day({ iso }: { readonly iso: string | null }) {
  const text = formatDay(iso);
  if (iso === null) return <span className="text-text-3">{text}</span>;
  return (
    <time dateTime={iso} title={`${text} ${formatClock(iso)}`} className="figures whitespace-nowrap">
      {text}
    </time>
  );
}

function WideRows({ rows, query, onSort, area, variant, selection, onAction }: UserRowsProps) {
  const showsLogin = useMediaQuery('(min-width: 1200px)');
  const { selected, mark } = selection;
  const ids = rows?.map(({ id }) => id) ?? [];
  const selectedCount = ids.filter((id) => selected.has(id)).length;
  const state = selectedCount === 0 ? 'none' : selectedCount === ids.length ? 'all' : 'some';
  const head = (column: Sort, className: string) => (
    <SortHead
      column={column}
      label={columnLabels[column]}
      sorted={query}
      onSort={onSort}
      className={className}
    />
  );
  const isFull = variant === 'full';
  const widths = ['70%', '80%', '60%', '60%', '80px', ...(showsLogin ? ['80px'] : []), '56px'];
  return (
    <Table
      caption={`Users, sorted by ${columnLabels[query.sort]}, ${orderLabel(query)}`}
      className="table-fixed"
      head={
        <>
          {isFull ? (
            <Th className="w-11 !pr-0">
              <SelectBox
                label="Select all on this page"
                state={state}
                onChange={() => mark(ids, state === 'all' ? 'not selected' : 'selected')}
              />
            </Th>
          ) : null}
          {head('username', 'w-[24%]')}
          {head('email', '')}
          {head('role', 'w-[84px] max-lg:w-[78px]')}
          {head('manager', 'w-[14%]')}
          {head('created_at', 'w-[118px] max-lg:w-[108px]')}
          {showsLogin ? head('last_login', 'w-[118px]') : null}
          <Th numeric className={isFull ? 'w-[96px]' : 'w-[116px]'}>
            Actions
          </Th>
        </>
      }
    >
      {rows === undefined ? (
        <SkeletonRows
          rows={query.size}
          widths={isFull ? ['16px', ...widths] : widths}
          numeric={[widths.length - (isFull ? 0 : 1)]}
          height={isFull ? 37 : 30}
        />
      ) : (
        rows.map((user) => {
          const isSelected = selected.has(user.id);
          return (
            <Tr
              key={user.id}
              aria-selected={isFull ? isSelected : undefined}
              className={`group/row ${isFull ? '!h-[37px]' : '!h-[30px]'} ${isSelected ? '!bg-accent-weak [&_.text-text-3]:text-text-2' : ''}`}
            >
              {isFull ? (
                <Td className="!pr-0">
                  <SelectBox
                    label={`Select ${user.username}`}
                    state={isSelected ? 'all' : 'none'}
                    onChange={() => mark([user.id], isSelected ? 'not selected' : 'selected')}
                  />
                </Td>
              ) : null}
              <Td>
                <Name user={user} size="small" />
              </Td>
              <Td className="!text-12 text-text-2">
                <EmailAddress email={user.email} />
              </Td>
              <Td className={`!text-12 ${user.role === 'trader' ? 'text-text-2' : ''}`}>
                {roleLabels[user.role]}
              </Td>
              <Td className="!text-12 text-text-2">
                <span title={user.manager?.username} className="block truncate">
                  <Manager user={user} />
                </span>
              </Td>
              <Td className="!text-12 text-text-2">
                <Day iso={user.created_at} />
              </Td>
              {showsLogin ? (
                <Td className="!text-12 text-text-2">
                  <Day iso={user.last_login} />
                </Td>
              ) : null}
              <Td className="text-right whitespace-nowrap">
                <RowMenu user={user} area={area} buttons={buttonsByVariant[variant]} onAction={onAction} />
              </Td>
            </Tr>
          );
        })
      )}
    </Table>
  );
}

function NarrowRows({ rows, query, area, variant, selection, onAction }: UserRowsProps) {
  const { selected, mark } = selection;
  if (rows === undefined) {
    return (
      <div aria-busy="true">
        {['a', 'b', 'c', 'd', 'e'].map((card) => (
          <div
            key={card}
            className="flex h-[124px] flex-col justify-center gap-2.5 border-b border-line/65 px-3"
          >
            <span className="shimmer block h-3.5 w-1/2" />
            <span className="shimmer block h-3 w-4/5" />
            <span className="shimmer block h-3 w-2/5" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul aria-label={`Users, sorted by ${columnLabels[query.sort]}, ${orderLabel(query)}`}>
      {rows.map((user) => {
        const isSelected = selected.has(user.id);
        return (
          <li
            key={user.id}
            className={`group/row flex gap-1 border-b border-line/65 py-1.5 pr-1 pl-1 last:border-b-0 ${isSelected ? 'bg-accent-weak [&_.text-text-3]:text-text-2' : ''} ${variant === 'plain' ? 'pl-3' : ''}`}
          >
            {variant === 'full' ? (
              <SelectBox
                label={`Select ${user.username}`}
                state={isSelected ? 'all' : 'none'}
                onChange={() => mark([user.id], isSelected ? 'not selected' : 'selected')}
              />
            ) : null}
            <div className="min-w-0 grow text-12 text-text-2">
              <div className="flex h-11 items-center text-14 text-text">
                <Name user={user} size="regular" />
              </div>
              <EmailAddress email={user.email} />
              <p className="truncate">
                {roleLabels[user.role]}
                {user.role === 'trader' ? (
                  <>
                    <span aria-hidden="true"> · </span>
                    <Manager user={user} />
                  </>
                ) : null}
              </p>
              <p className="mb-1 text-text-3">
                Last login <Day iso={user.last_login} />
              </p>
            </div>
            <RowMenu user={user} area={area} buttons={[]} onAction={onAction} />
          </li>
        );
      })}
    </ul>
  );
}

export function UserRows(props: UserRowsProps) {
  const phone = usePhone();
  return phone ? <NarrowRows {...props} /> : <WideRows {...props} />;
}
