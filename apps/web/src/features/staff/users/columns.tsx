/**
 * The columns of the users table: what each shows in the table and on a phone's card, and how it sorts. The URL, the header, the
 * order select and the texts of the order follow from this list.
 */
import Ban from 'lucide-react/icons/ban';
import { Link } from 'react-router';
import { Amount } from '../../../shared/numbers/index.ts';
import type { Column, SortOrder } from '../../../shared/table/index.ts';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';
import { Avatar, Badge } from '../../../shared/ui/index.ts';
import { EmailAddress, roleLabels } from '../user-dialogs/index.ts';
import { kycVariants, type ListedUser, noManager, type Sort } from './listed-user.ts';

function Name({ user, size }: { readonly user: ListedUser; readonly size: 'small' | 'regular' }) {
  const { label, Icon, colour } = kycVariants[user.kyc_status];
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
        aria-label={`KYC ${label.toLowerCase()}`}
        title={`KYC ${label.toLowerCase()}`}
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

/** The direction that a press on the header starts with, and what comes first in each. */
interface UserOrder extends Readonly<Record<SortOrder, string>> {
  readonly start: SortOrder;
}
export const byName: UserOrder = { start: 'ascending', ascending: 'A to Z', descending: 'Z to A' };
const byTime: UserOrder = { start: 'descending', ascending: 'oldest', descending: 'newest' };

interface UserColumn extends Column<ListedUser, Sort> {
  /** Of a column that sorts; `byName` where it is left out. */
  readonly order?: UserOrder;
}

/**
 * The actions stand in a further column, because they depend on the page. Without the Email column the narrow table's second
 * line is hidden, too (`without-email`).
 */
export const userColumns: readonly UserColumn[] = [
  {
    head: 'Username',
    sort: 'username',
    width: '70%',
    className: 'w-[24%] max-lg:w-[34%] lg:[.with-more_&]:w-[220px]',
    cellClassName: '!text-13 !text-text',
    card: '1 start',
    cardCell: (user) => <Name user={user} size="regular" />,
    cell: (user) => (
      <>
        <Name user={user} size="small" />
        {/* A narrow table has no column for it. */}
        <span
          title={user.email}
          className="block truncate text-12 text-text-2 [.without-email_&]:hidden lg:hidden"
        >
          {user.email}
        </span>
      </>
    ),
  },
  {
    head: 'Email',
    choice: 'shown',
    sort: 'email',
    width: '80%',
    className: 'max-lg:hidden',
    card: '2 start',
    cell: ({ email }) => <EmailAddress email={email} />,
  },
  {
    head: 'Role',
    choice: 'shown',
    sort: 'role',
    width: '60%',
    className: 'w-[84px] max-lg:w-[78px]',
    card: '3 start',
    cardCell: (user) => (
      <>
        {roleLabels[user.role]}
        {user.role === 'trader' ? (
          <>
            <span aria-hidden="true"> · </span>
            <Manager user={user} />
          </>
        ) : null}
      </>
    ),
    cell: ({ role }) => <span className={role === 'trader' ? '' : 'text-text'}>{roleLabels[role]}</span>,
  },
  {
    head: 'Manager',
    choice: 'shown',
    sort: 'manager',
    width: '60%',
    className: 'w-[14%] lg:[.with-more_&]:w-[150px]',
    cell: (user) => (
      <span title={user.manager?.username} className="block truncate">
        <Manager user={user} />
      </span>
    ),
  },
  {
    head: 'Created At',
    choice: 'shown',
    sort: 'created_at',
    order: byTime,
    width: '80px',
    className: 'w-[118px] max-lg:w-[108px]',
    cell: ({ created_at: at }) => <Day iso={at} />,
  },
  {
    head: 'Last Login',
    choice: 'shown',
    sort: 'last_login',
    order: { start: 'descending', ascending: 'longest ago', descending: 'latest' },
    width: '80px',
    className: 'w-[118px] max-[1199.98px]:hidden',
    card: '4 start',
    cardCell: ({ last_login: at }) => (
      <span className="text-text-3">
        Last login <Day iso={at} />
      </span>
    ),
    cell: ({ last_login: at }) => <Day iso={at} />,
  },
  {
    head: 'Phone',
    choice: 'hidden',
    width: '70%',
    className: 'w-[128px]',
    cellClassName: 'figures',
    card: 'line',
    cell: ({ phone_number: phone }) => (
      <span title={phone ?? undefined} className="block truncate">
        {phone ?? '–'}
      </span>
    ),
  },
  {
    head: 'KYC',
    choice: 'hidden',
    width: '60%',
    className: 'w-[92px]',
    card: 'line',
    cell: ({ kyc_status: status }) => kycVariants[status].label,
  },
  {
    head: 'Restricted Since',
    choice: 'hidden',
    width: '80px',
    className: 'w-[118px]',
    card: 'line',
    cell: ({ restricted_at: at }) =>
      at === null ? <span className="text-text-3">–</span> : <Day iso={at} />,
  },
  {
    head: 'Balance',
    choice: 'hidden',
    tooltip: () => 'Main account',
    width: '70px',
    numeric: true,
    className: 'w-[116px]',
    card: 'line',
    cell: ({ wallet }) =>
      wallet === null ? <span className="text-text-3">–</span> : <Amount value={wallet.balance} />,
  },
];
