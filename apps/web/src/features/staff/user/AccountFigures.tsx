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
import { openPositionsQuery, type Wallet, walletQuery } from './user-queries.ts';

const sizes = {
  strip: { list: 'gap-x-6', label: 'text-11', value: 'text-14' },
  page: { list: 'gap-x-10', label: 'text-12', value: 'text-20 max-[359px]:text-16' },
} as const;

const formatSigned = (value: number | null | undefined): string => formatAmount(value, 'always');
const toMarginInUse = ({ balance, available_balance: available }: Wallet): number =>
  toNumber(asMoney(marginInUse(parseDecimal(balance), parseDecimal(available))));

function Unrealized({ userId }: { readonly userId: string }) {
  const supabase = useSupabase();
  const stream = usePriceStream();
  useFollowedPrices(null);
  const { data: open, isError } = useQuery(openPositionsQuery(supabase, userId));
  const source = useMemo(() => (open ? createTotalPnlSource(stream, open) : null), [stream, open]);
  if (source === null) return isError ? <Amount value={null} /> : <Skeleton className="h-4 w-20" />;
  return <LiveFigure source={source} format={formatSigned} colour="sign" />;
}

export interface AccountFiguresProps {
  readonly userId: string;
  readonly size: keyof typeof sizes;
}

/** Renders nothing for a user without a wallet. */
export function AccountFigures({ userId, size }: AccountFiguresProps) {
  const supabase = useSupabase();
  const { data: wallet, isError } = useQuery(walletQuery(supabase, userId));
  if (wallet === null) return null;
  const styles = sizes[size];
  const money = (value: number | undefined): ReactNode => {
    if (value !== undefined) return <Amount value={value} />;
    return isError ? <Amount value={null} /> : <Skeleton className="h-4 w-20" />;
  };
  const figures = [
    ['Balance', money(wallet?.balance)],
    ['Available', money(wallet?.available_balance)],
    ['Margin', money(wallet && toMarginInUse(wallet))],
    ['Unrealized', <Unrealized key="unrealized" userId={userId} />],
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
