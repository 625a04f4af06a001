/** What the order is worth and costs, and where it would be liquidated: at the live price, for the settled amount. */
import { toNumber } from '@fulcrum/domain';
import { type ReactNode, useCallback, useMemo } from 'react';
import { formatAmount, formatPrice, LiveFigure, type LiveSource } from '../../../shared/numbers/index.ts';
import type { OrderSummary } from './summary.ts';
import { type Ticket, useFailedField } from './useTicket.ts';

const formatMoney = (value: number | null | undefined) => formatAmount(value);

function useSummarySource(ticket: Ticket, figure: keyof OrderSummary): LiveSource {
  const { shownPrice, state } = ticket;
  const { settled, leverage, type } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the figure is that of the settled terms, at any price
  return useMemo(
    () => ({
      get: () => {
        const value = ticket.factsOf(settled).summary[figure];
        return value === null ? null : toNumber(value);
      },
      subscribe: shownPrice.subscribe,
    }),
    [shownPrice, settled, leverage, type, figure],
  );
}

function Row({
  label,
  unit,
  children,
}: {
  readonly label: string;
  readonly unit?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex h-[23px] items-center justify-between gap-3">
      <dt className="text-12 whitespace-nowrap text-text-2">{label}</dt>
      <dd className="min-w-0 truncate text-13 font-medium">
        {children}
        {unit === undefined ? null : <span className="font-normal text-text-3">{` ${unit}`}</span>}
      </dd>
    </div>
  );
}

/** A07: what opening costs beside the margin; closing costs as much of its own value. */
function FeeRow({ ticket }: { readonly ticket: Ticket }) {
  // A fraction in 1e-8 is a hundredth of its percentage.
  const percent = toNumber(ticket.feeRate * 100n);
  return (
    <Row label={`Fee to open, ${percent} %`} unit="USDT">
      <LiveFigure source={useSummarySource(ticket, 'openingFee')} format={formatMoney} flashes={false} />
    </Row>
  );
}

export function TicketSummary({ ticket }: { readonly ticket: Ticket }) {
  const { tickSize } = ticket.pair;
  const formatTick = useCallback(
    (value: number | null | undefined) => formatPrice(value, tickSize),
    [tickSize],
  );
  const isShort = useFailedField(ticket) === 'margin';
  return (
    <dl>
      <Row label="Order Value" unit="USDT">
        <LiveFigure source={useSummarySource(ticket, 'orderValue')} format={formatMoney} flashes={false} />
      </Row>
      <Row label="Required Margin" unit="USDT">
        <LiveFigure
          source={useSummarySource(ticket, 'requiredMargin')}
          format={formatMoney}
          flashes={false}
          className={isShort ? 'text-down' : ''}
        />
      </Row>
      {ticket.feeRate === 0n ? null : <FeeRow ticket={ticket} />}
      <Row label="Est. liq. price, long">
        <LiveFigure
          source={useSummarySource(ticket, 'liquidationLong')}
          format={formatTick}
          flashes={false}
        />
      </Row>
      <Row label="Est. liq. price, short">
        <LiveFigure
          source={useSummarySource(ticket, 'liquidationShort')}
          format={formatTick}
          flashes={false}
        />
      </Row>
    </dl>
  );
}
