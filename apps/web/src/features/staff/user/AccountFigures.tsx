/**
 * The four figures of an account on the manager page and the user page: balance, available, margin of positions and orders, and
 * unrealized PnL at live prices.
 */
import { asMoney, parseDecimal, toNumber } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { createTotalPnlSource, marginInUse } from '../../../shared/account/index.ts';
import { Amount, formatAmount, LiveFigure } from '../../../shared/numbers/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { Skeleton } from '../../../shared/ui/index.ts';
import { useFollowedPrices, usePriceStream } from '../../market/index.ts';
import { LiveSum } from '../positions/live-figures.tsx';
import type { ShownAccount } from '../shown-account.ts';
import { accountsQuery } from './accounts.ts';
import { openOfAccountQuery, openPositionsQuery, type Wallet, walletQuery } from './user-queries.ts';

const sizes = {
  strip: { list: 'gap-x-6', label: 'text-11', value: 'text-14' },
  page: { list: 'gap-x-10', label: 'text-12', value: 'text-20 max-[359px]:text-16' },
} as const;

const formatSigned = (value: number | null | undefined): string => formatAmount(value, 'always');
type Figures = Pick<Wallet, 'balance' | 'available_balance'>;
const toMarginInUse = ({ balance, available_balance: available }: Figures): number =>
  toNumber(asMoney(marginInUse(parseDecimal(balance), parseDecimal(available))));

function UnrealizedOfMain({ userId }: { readonly userId: string }) {
  const supabase = useSupabase();
  const stream = usePriceStream();
  useFollowedPrices(null);
  const { data: open, isError } = useQuery(openPositionsQuery(supabase, userId));
  const source = useMemo(() => (open ? createTotalPnlSource(stream, open) : null), [stream, open]);
  if (source === null) return isError ? <Amount value={null} /> : <Skeleton className="h-4 w-20" />;
  return <LiveFigure source={source} format={formatSigned} colour="sign" />;
}

interface UnrealizedProps {
  readonly userId: string;
  readonly accountId: string;
}

/** None where more positions are open than a page has: a part of the sum is wrong. */
function UnrealizedOfAccount({ userId, accountId }: UnrealizedProps) {
  const supabase = useSupabase();
  useFollowedPrices(null);
  const { data: open, isError } = useQuery(openOfAccountQuery(supabase, userId, accountId));
  if (open === undefined) return isError ? <Amount value={null} /> : <Skeleton className="h-4 w-20" />;
  if (open.positions.length < open.total) return <Amount value={null} />;
  return <LiveSum positions={open.positions} />;
}

/** Null for a user without a wallet. Changes are announced of main accounts only. */
function useWallet(userId: string, { id: accountId }: ShownAccount) {
  const supabase = useSupabase();
  const main = useQuery({ ...walletQuery(supabase, userId), enabled: accountId === null });
  const all = useQuery({ ...accountsQuery(supabase, userId), enabled: accountId !== null });
  const { data, isError }: { readonly data: Figures | null | undefined; readonly isError: boolean } =
    accountId === null ? main : { ...all, data: all.data?.find(({ id }) => id === accountId) };
  return { wallet: data, isError };
}

export interface AccountFiguresProps {
  readonly userId: string;
  readonly account: ShownAccount;
  readonly size: keyof typeof sizes;
}

/** Renders nothing for a user without a wallet. */
export function AccountFigures({ userId, account, size }: AccountFiguresProps) {
  const { wallet, isError } = useWallet(userId, account);
  if (wallet === null) return null;
  const styles = sizes[size];
  const money = (value: number | undefined): ReactNode => {
    if (value !== undefined) return <Amount value={value} />;
    return isError ? <Amount value={null} /> : <Skeleton className="h-4 w-20" />;
  };
  const unrealized =
    account.id === null ? (
      <UnrealizedOfMain userId={userId} />
    ) : (
      <UnrealizedOfAccount userId={userId} accountId={account.id} />
    );
  const figures = [
    ['Balance', money(wallet?.balance)],
    ['Available', money(wallet?.available_balance)],
    ['Margin', money(wallet && toMarginInUse(wallet))],
    ['Unrealized', unrealized],
  ] as const;
  return (
    <dl className={`flex flex-wrap gap-y-2 max-md:grid max-md:grid-cols-2 ${styles.list}`}>
      {figures.map(([label, figure]) => (
        <div key={label} className={size === 'strip' ? 'text-right max-md:text-left' : ''}>
          <dt className={`${styles.label} text-text-3`}>{label}</dt>
          <dd className={`${styles.value} font-semibold`}>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
