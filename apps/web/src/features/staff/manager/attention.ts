/**
 * Who of the manager's traders needs a look: positions that are most of the way to their liquidation, wallets with next to
 * nothing available, people who never signed in. The worst first, one line per person and kind.
 *
 * Known limitations: the 1000 latest open positions and the 200 wallets with the least available are looked at, and the 50
 * newest of those who never signed in; positions whose symbol has no price count as safe.
 */
import type { Row } from '@fulcrum/contract/database';
import { asPrice, parseDecimal, toNumber, wayToLiquidation } from '@fulcrum/domain';
import { queryOptions } from '@tanstack/react-query';
import { termsOf } from '../../../shared/account/index.ts';
import { formatAmount, formatFigure } from '../../../shared/numbers/index.ts';
import { fromWire, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import type { Person } from '../people/index.ts';
import { newestFirst } from '../user/person.ts';

type OfPerson<Table> = Table & { readonly user: Person };
export interface Reading {
  readonly positions: readonly OfPerson<Row<'positions'>>[];
  readonly wallets: readonly OfPerson<Pick<Row<'wallets'>, 'balance' | 'available_balance'>>[];
  readonly newcomers: readonly (Person & Pick<Row<'users'>, 'created_at'>)[];
}

export interface Attention {
  readonly kind: 'liquidation' | 'funds' | 'never';
  readonly person: Person;
  readonly text: string;
}

/** Per cent of the way from the entry to the liquidation. */
export const wayFrom = 80;
/** Available, of the balance. */
const scarceShare = 0.05;
/** Available, USDT: less opens nothing worth while. */
const scarceAmount = 1;

function wayOf(row: Row<'positions'>): number | null {
  if (row.mark_price === null) return null;
  const { entryPrice } = termsOf(fromWire(row));
  const [liquidationPrice, markPrice] = [row.liquidation_price, row.mark_price].map((price) =>
    asPrice(parseDecimal(price)),
  );
  if (liquidationPrice === undefined || markPrice === undefined) return null;
  return toNumber(wayToLiquidation({ entryPrice, liquidationPrice, markPrice }));
}

const isScarce = ({ balance, available_balance: available }: Reading['wallets'][number]): boolean =>
  available < scarceAmount || available < balance * scarceShare;

/** The first of each person. */
function oncePerPerson(lines: readonly Attention[]): readonly Attention[] {
  const seen = new Set<string>();
  return lines.filter(({ person: { id } }) => !seen.has(id) && seen.add(id));
}

export function attentionOf({ positions, wallets, newcomers }: Reading): readonly Attention[] {
  const near = positions
    .map((position) => ({ position, way: wayOf(position) ?? 0 }))
    .filter(({ way }) => way >= wayFrom)
    .sort((a, b) => b.way - a.way)
    .map(({ position: { user, symbol, side, leverage }, way }): Attention => {
      const done = formatFigure(Math.floor(way), 0);
      return {
        kind: 'liquidation',
        person: user,
        text: `${symbol} ${side} ${leverage}×, ${done}% of the way to liquidation`,
      };
    });
  const scarce = wallets.filter(isScarce).map(
    ({ user, balance, available_balance: available }): Attention => ({
      kind: 'funds',
      person: user,
      text: `Available ${formatAmount(available)} of ${formatAmount(balance)} USDT`,
    }),
  );
  const never = newcomers.map(
    (person): Attention => ({
      kind: 'never',
      person,
      text: `Never signed in since ${formatDay(person.created_at)}`,
    }),
  );
  return [oncePerPerson(near), oncePerPerson(scarce), never].flat();
}

const ofPerson = 'id, username, email, role, restricted_at, manager_id';
const everyMs = 30_000;
export const attentionKey = ['staff', 'attention'] as const;

async function readAttention({ rest }: Supabase, signal: AbortSignal): Promise<readonly Attention[]> {
  const [positions, wallets, newcomers] = await Promise.all([
    rowsOf(
      rest
        .from('positions')
        .select(`*, user:users!positions_user_id_fkey(${ofPerson})`)
        .eq('status', 'open')
        .order('created_at', newestFirst)
        .limit(1000)
        .abortSignal(signal),
    ),
    rowsOf(
      rest
        .from('wallets')
        .select(`balance, available_balance, user:users!wallets_user_id_fkey(${ofPerson})`)
        .order('available_balance')
        .limit(200)
        .abortSignal(signal),
    ),
    rowsOf(
      rest
        .from('users')
        .select(`${ofPerson}, created_at`)
        .eq('role', 'trader')
        .is('last_login', null)
        .order('created_at', newestFirst)
        .limit(50)
        .abortSignal(signal),
    ),
  ]);
  return attentionOf({ positions, wallets, newcomers });
}

export const attentionQuery = (supabase: Supabase) =>
  queryOptions({
    queryKey: attentionKey,
    queryFn: ({ signal }) => readAttention(supabase, signal),
    refetchInterval: everyMs,
  });
