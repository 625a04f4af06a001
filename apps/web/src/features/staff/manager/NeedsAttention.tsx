/** Whoever of the traders needs a look, the worst first, each with the one act that helps. */
import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import UserX from 'lucide-react/icons/user-x';
import Wallet from 'lucide-react/icons/wallet';
import { log } from '../../../shared/log/log.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Badge, ErrorState, Skeleton } from '../../../shared/ui/index.ts';
import type { Person } from '../people/index.ts';
import { isAny, useReadWhenAnnounced } from '../rows/useReadWhenAnnounced.ts';
import { type Attention, attentionKey, attentionQuery, wayFrom } from './attention.ts';

const looks = {
  liquidation: { Icon: TriangleAlert, tone: 'text-down', act: 'View' },
  funds: { Icon: Wallet, tone: 'text-warn', act: 'Manage funds' },
  never: { Icon: UserX, tone: 'text-text-3', act: 'View' },
} as const satisfies Record<Attention['kind'], object>;
/** More than these would not be a list of what to do next. */
const shownMax = 20;
/** Prices are not announced: how far a position has come is read with the account's changes and every 30 s. */
const announcedEveryMs = 5_000;

interface NeedsAttentionProps {
  readonly onView: (person: Person) => void;
  readonly onFunds: (person: Person) => void;
}

function Line({
  line: { kind, person, text },
  onView,
  onFunds,
}: NeedsAttentionProps & { readonly line: Attention }) {
  const { Icon, tone, act } = looks[kind];
  return (
    <li className="flex min-h-11 items-center gap-2.5 border-b border-line/65 px-4 py-1 text-13 last:border-b-0">
      <Icon size={16} aria-hidden="true" className={`shrink-0 ${tone}`} />
      <span className="min-w-0 grow">
        <bdi className="mr-1.5 font-semibold">{person.username}</bdi>{' '}
        <span className="figures text-12 text-text-2">{text}</span>
      </span>
      <button
        type="button"
        aria-label={
          kind === 'funds'
            ? `Manage funds of ${person.username}, who has little left`
            : `View ${person.username}`
        }
        onClick={() => (kind === 'funds' ? onFunds : onView)(person)}
        className="min-h-6 shrink-0 rounded-[4px] font-medium text-accent hover:underline max-md:min-h-11"
      >
        {act}
      </button>
    </li>
  );
}

export function NeedsAttention(acts: NeedsAttentionProps) {
  const supabase = useSupabase();
  const { data: lines, isError, isFetching, refetch } = useQuery(attentionQuery(supabase));
  useReadWhenAnnounced(attentionKey, isAny, announcedEveryMs);
  const retry = () => {
    refetch().catch((cause: unknown) => log.error('Reading what needs attention again broke', cause));
  };
  const content = () => {
    if (lines === undefined && isError) {
      return (
        <ErrorState
          title="Failed to load what needs attention"
          shape="line"
          onRetry={retry}
          retrying={isFetching}
        />
      );
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
          Nobody: no position is {wayFrom}% of the way to its liquidation, no wallet is nearly empty, and
          everybody has signed in.
        </p>
      );
    }
    return (
      <ul>
        {lines.slice(0, shownMax).map((line) => (
          <Line key={`${line.kind} ${line.person.id}`} line={line} {...acts} />
        ))}
        {lines.length > shownMax ? (
          <li className="px-4 py-2 text-12 text-text-3">{`${lines.length - shownMax} more`}</li>
        ) : null}
      </ul>
    );
  };
  return (
    <section aria-labelledby="attention" className="panel flex shrink-0 flex-col overflow-hidden">
      <div className="flex min-h-11 items-center gap-2 border-b border-line px-4">
        <h2 id="attention" className="text-14 font-semibold">
          Needs attention
        </h2>
        {lines === undefined || lines.length === 0 ? null : (
          <Badge>
            <span className="figures">{lines.length}</span>
          </Badge>
        )}
      </div>
      <div className="min-h-11 overflow-y-auto xl:max-h-[176px]">{content()}</div>
    </section>
  );
}
