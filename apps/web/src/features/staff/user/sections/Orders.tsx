/** All orders of the trader, newest first. */
import type { Row } from '@fulcrum/contract/database';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import { useMemo } from 'react';
import { Price, Size } from '../../../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../../../shared/supabase/index.ts';
import type { Column } from '../../../../shared/table/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { IconBadge } from '../../../../shared/ui/index.ts';
import { SideLabel } from '../../../../shared/ui/SideLabel.tsx';
import { type PairSteps, usePairSteps } from '../../../market/index.ts';
import { RowsPanel } from '../../rows/RowsPanel.tsx';
import { titleOf } from '../../shown-account.ts';
import { recordArgs, userKey } from '../user-queries.ts';
import { orderStatusLabels } from './labels.ts';
import type { SectionProps } from './section-props.ts';

type Order = Row<'orders'>;

const statuses = {
  NEW: { label: orderStatusLabels.NEW, tone: 'accent', Icon: Clock },
  PARTIALLY_FILLED: { label: orderStatusLabels.PARTIALLY_FILLED, tone: 'accent', Icon: Clock },
  FILLED: { label: orderStatusLabels.FILLED, tone: 'up', Icon: Check },
  REJECTED: { label: orderStatusLabels.REJECTED, tone: 'down', Icon: X },
  CANCELED: { label: orderStatusLabels.CANCELED, tone: 'neutral', Icon: Minus },
  EXPIRED: { label: orderStatusLabels.EXPIRED, tone: 'neutral', Icon: Minus },
} as const;

function toColumns(stepsOf: (symbol: string) => PairSteps): readonly Column<Order>[] {
  return [
    { head: 'Placed', width: '118px', card: 'line', cell: ({ created_at: at }) => <DateTime iso={at} /> },
    {
      head: 'Symbol',
      width: '72px',
      card: '1 start',
      className: '!text-text font-medium',
      cell: ({ symbol }) => symbol,
    },
    { head: 'Type', width: '56px', card: 'line', cell: ({ type }) => type },
    { head: 'Side', width: '48px', card: 'line', cell: ({ side }) => <SideLabel side={side} /> },
    {
      head: 'Price',
      numeric: true,
      width: '72px',
      card: 'line',
      cell: ({ symbol, price }) => <Price value={price} tickSize={stepsOf(symbol).tickSize} />,
    },
    {
      head: 'Size',
      numeric: true,
      width: '56px',
      card: 'line',
      cell: ({ symbol, size }) => <Size value={size} stepSize={stepsOf(symbol).stepSize} />,
    },
    {
      head: 'Leverage',
      numeric: true,
      width: '32px',
      card: 'line',
      cell: ({ leverage }) => `${leverage}×`,
    },
    {
      head: 'Status',
      width: '76px',
      card: '1 end',
      cell: ({ status }) => <IconBadge variant={statuses[status]} />,
    },
    {
      head: 'Why',
      width: '60%',
      card: 'line',
      className: 'w-1/4',
      cell: ({ reason }) => reason ?? '–',
    },
  ];
}

export function Orders({ userId, account, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  const stepsOf = usePairSteps();
  const columns = useMemo(() => toColumns(stepsOf), [stepsOf]);
  return (
    <RowsPanel
      title={titleOf('Orders', account)}
      caption="Orders, the latest first"
      what="orders"
      one="order"
      queryKey={[...userKey(userId), 'orders', account.id]}
      read={(from, signal) =>
        unwrap(rest.rpc('list_orders', recordArgs(userId, account, from)).abortSignal(signal))
      }
      columns={columns}
      page={page}
      onPage={onPage}
      empty={{ title: 'No orders', text: 'This trader has not placed one yet.' }}
      failed="Failed to load orders"
    />
  );
}
