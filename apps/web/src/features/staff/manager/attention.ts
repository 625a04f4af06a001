/**
 * Finds the manager's traders that need attention: positions close to liquidation, wallets with almost nothing available, users
 * who never signed in. The most severe come first, one line per user and kind.
 *
 * Known limitations: the check covers the 1000 latest open positions, the 200 wallets with the least available balance and the
 * 50 newest users who never signed in; positions whose symbol has no price count as safe.
 */
import type { Row } from '@fulcrum/contract/database';
import { asPrice, liquidationProgress, parseDecimal, toNumber } from '@fulcrum/domain';
import { queryOptions } from '@tanstack/react-query';
import { toTerms } from '../../../shared/account/index.ts';
import { formatAmount, formatFigure } from '../../../shared/numbers/index.ts';
import { fromWire, type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import { newestFirst } from '../user/user-queries.ts';
import type { UserSummary } from '../user-dialogs/index.ts';

type WithUser<Table> = Table & { readonly user: UserSummary };
export interface AttentionInput {
  readonly positions: readonly WithUser<Row<'positions'>>[];
  readonly wallets: readonly WithUser<Pick<Row<'wallets'>, 'balance' | 'available_balance'>>[];
  readonly newcomers: readonly (UserSummary & Pick<Row<'users'>, 'created_at'>)[];
}

export interface Attention {
  readonly kind: 'liquidation' | 'funds' | 'never';
  readonly user: UserSummary;
  readonly text: string;
}

/** Progress from entry to liquidation, per cent. */
export const progressMinPct = 80;
/** Available balance as a fraction of the balance. */
const nearlyEmptyShare = 0.05;
/** Available balance in USDT; less is too little to open a position. */
const nearlyEmptyAmount = 1;

function getLiquidationProgress(row: Row<'positions'>): number | null {
  if (row.mark_price === null) return null;
  const { entryPrice } = toTerms(fromWire(row));
  const [liquidationPrice, markPrice] = [row.liquidation_price, row.mark_price].map((price) =>
    asPrice(parseDecimal(price)),
  );
  if (liquidationPrice === undefined || markPrice === undefined) return null;
  return toNumber(liquidationProgress({ entryPrice, liquidationPrice, markPrice }));
}

const isNearlyEmpty = ({
  balance,
  available_balance: available,
}: AttentionInput['wallets'][number]): boolean =>
  available < nearlyEmptyAmount || available < balance * nearlyEmptyShare;

/** Keeps the first line of each user. */
function oncePerUser(lines: readonly Attention[]): readonly Attention[] {
  const seen = new Set<string>();
  return lines.filter(({ user: { id } }) => !seen.has(id) && seen.add(id));
}

export function toAttention({ positions, wallets, newcomers }: AttentionInput): readonly Attention[] {
  const near = positions
    .map((position) => ({ position, progress: getLiquidationProgress(position) ?? 0 }))
    .filter(({ progress }) => progress >= progressMinPct)
    .sort((a, b) => b.progress - a.progress)
    .map(({ position: { user, symbol, side, leverage }, progress }): Attention => {
      const done = formatFigure(Math.floor(progress), 0);
      return {
        kind: 'liquidation',
        user,
        text: `${symbol} ${side} ${leverage}×, ${done}% of the way to liquidation`,
      };
    });
  const nearlyEmpty = wallets.filter(isNearlyEmpty).map(
    ({ user, balance, available_balance: available }): Attention => ({
      kind: 'funds',
      user,
      text: `Available ${formatAmount(available)} of ${formatAmount(balance)} USDT`,
    }),
  );
  const never = newcomers.map(
    (user): Attention => ({
      kind: 'never',
      user,
      text: `Never signed in since ${formatDay(user.created_at)}`,
    }),
  );
  return [oncePerUser(near), oncePerUser(nearlyEmpty), never].flat();
}

const userColumns = 'id, username, email, role, restricted_at, manager_id';
const refetchMs = 30_000;
export const attentionKey = ['staff', 'attention'] as const;

async function readAttention({ rest }: Supabase, signal: AbortSignal): Promise<readonly Attention[]> {
  const [positions, wallets, newcomers] = await Promise.all([
    unwrap(
      rest
        .from('positions')
        .select(`*, user:users!positions_user_id_fkey(${userColumns})`)
        .eq('status', 'open')
        .order('created_at', newestFirst)
        .limit(1000)
        .abortSignal(signal),
    ),
    unwrap(
      rest
        .from('wallets')
        .select(`balance, available_balance, user:users!wallets_user_id_fkey(${userColumns})`)
        .order('available_balance')
        .limit(200)
        .abortSignal(signal),
    ),
    unwrap(
      rest
        .from('users')
        .select(`${userColumns}, created_at`)
        .eq('role', 'trader')
        .is('last_login', null)
        .order('created_at', newestFirst)
        .limit(50)
        .abortSignal(signal),
    ),
  ]);
  return toAttention({ positions, wallets, newcomers });
}

export const attentionQuery = (supabase: Supabase) =>
  queryOptions({
    queryKey: attentionKey,
    queryFn: ({ signal }) => readAttention(supabase, signal),
    refetchInterval: refetchMs,
  });
