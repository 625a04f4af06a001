/** The traders that need attention, most severe first, each with the action that helps. */
import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import UserX from 'lucide-react/icons/user-x';
import Wallet from 'lucide-react/icons/wallet';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Badge, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { MainAccounts } from '../MainAccounts.tsx';
import { isAnyChange, useRefetchOnChange } from '../rows/useRefetchOnChange.ts';
import type { UserSummary } from '../user-dialogs/index.ts';
import { type Attention, attentionKey, attentionQuery, progressMinPct } from './attention.ts';

const attentionVariants = {
  liquidation: { Icon: TriangleAlert, tone: 'text-down', action: 'View' },
  funds: { Icon: Wallet, tone: 'text-warn', action: 'Manage funds' },
  never: { Icon: UserX, tone: 'text-text-3', action: 'View' },
} as const satisfies Record<Attention['kind'], object>;
/** The maximum of listed lines. */
const shownMax = 20;
/** Prices are not announced here: the progress of positions is read after account changes and every 30 s. */
const changeThrottleMs = 5_000;

interface NeedsAttentionProps {
  readonly className?: string;
  readonly onView: (user: UserSummary) => void;
  readonly onFunds: (user: UserSummary) => void;
}

function Line({
  line: { kind, user, text },
  onView,
  onFunds,
}: NeedsAttentionProps & { readonly line: Attention }) {
  const { Icon, tone, action: actionLabel } = attentionVariants[kind];
  return (
    <li className="flex min-h-11 items-center gap-2.5 border-b border-line/65 px-4 py-1 text-13 last:border-b-0">
      <Icon size={16} aria-hidden="true" className={`shrink-0 ${tone}`} />
      <span className="min-w-0 grow">
        <bdi className="mr-1.5 font-semibold">{user.username}</bdi>{' '}
        <span className="figures text-12 text-text-2">{text}</span>
      </span>
      <button
        type="button"
        aria-label={
          kind === 'funds' ? `Manage funds of ${user.username}, who has little left` : `View ${user.username}`
        }
        onClick={() => (kind === 'funds' ? onFunds : onView)(user)}
        className="min-h-6 shrink-0 rounded-[4px] font-medium text-accent hover:underline max-md:min-h-11"
      >
        {actionLabel}
      </button>
    </li>
  );
}

export function NeedsAttention({ className = '', ...handlers }: NeedsAttentionProps) {
  const supabase = useSupabase();
  const reading = useQuery(attentionQuery(supabase));
  const { data: lines, isError } = reading;
  useRefetchOnChange(attentionKey, isAnyChange, changeThrottleMs);
  const content = () => {
    if (lines === undefined && isError) {
      return <ReadError title="Failed to load the attention list" shape="line" reading={reading} />;
    }
    if (lines === undefined) {
      return (
        <div aria-busy="true" className="flex flex-col gap-3 p-4">
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      );
    }
    if (lines.length === 0) {
      return (
        <p className="px-4 py-3 text-13 text-text-2">
          No users need attention: no position is {progressMinPct}% of the way to its liquidation, no wallet
          is nearly empty, and all users have signed in.
        </p>
      );
    }
    return (
      <ul>
        {lines.slice(0, shownMax).map((line) => (
          <Line key={`${line.kind} ${line.user.id}`} line={line} {...handlers} />
        ))}
        {lines.length > shownMax ? (
          <li className="px-4 py-2 text-12 text-text-3">{`${lines.length - shownMax} more`}</li>
        ) : null}
      </ul>
    );
  };
  return (
    <section
      aria-labelledby="attention"
      className={`panel flex shrink-0 flex-col overflow-hidden ${className}`}
    >
      <div className="flex min-h-11 items-center gap-2 border-b border-line px-4">
        <h2 id="attention" className="text-14 font-semibold">
          Needs attention
        </h2>
        {lines === undefined || lines.length === 0 ? null : (
          <Badge>
            <span className="figures">{lines.length}</span>
          </Badge>
        )}
        <MainAccounts />
      </div>
      <div className="min-h-11 overflow-y-auto xl:max-h-[176px]">{content()}</div>
    </section>
  );
}
