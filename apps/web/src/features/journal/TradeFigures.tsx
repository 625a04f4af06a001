/** The linked position of an entry: its figures at entry and exit, and the chart around it. */
import { type ReactNode, useState } from 'react';
import { sideLabel, toClosedRoe, toNetPnl, toRMultiple } from '../../shared/account/index.ts';
import { Amount, Percent, Pnl, Price, Size } from '../../shared/numbers/index.ts';
import type { Position } from '../../shared/supabase/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { formatDuration } from '../../shared/time/duration.ts';
import { TradeChart } from '../../shared/trade-chart/index.ts';
import { Badge } from '../../shared/ui/index.ts';
import { usePairs } from '../market/index.ts';
import { LiveResult } from './LiveResult.tsx';
import { getCloseReason } from './position-search.ts';

/** A pair that left the catalogue shows all its decimals. */
const finest = 1e-8;

export function TradeFigures({ position }: { readonly position: Position }) {
  const { data: pairs } = usePairs();
  const [now] = useState(() => Date.now());
  const { symbol, side, size, leverage, margin, fees, funding } = position;
  const { entryPrice, closePrice, initialStopLossPrice, takeProfitPrice, createdAt, closedAt } = position;
  const pair = pairs?.find((listed) => listed.symbol === symbol);
  const [tickSize, stepSize] = [pair?.tickSize ?? finest, pair?.stepSize ?? finest];
  const isOpen = position.status === 'open';
  const held = (closedAt === null ? now : Date.parse(closedAt)) - Date.parse(createdAt);
  const reason = getCloseReason(position);
  const soFar = isOpen ? ' so far' : '';
  const figures: Readonly<Record<string, ReactNode>> = {
    Entry: <Price value={entryPrice} tickSize={tickSize} className="font-medium" />,
    Exit: <Price value={closePrice} tickSize={tickSize} className="font-medium" />,
    Size: <Size value={size} stepSize={stepSize} {...(pair ? { unit: pair.baseAsset } : {})} />,
    [isOpen ? 'PnL now' : 'PnL']: isOpen ? (
      <LiveResult position={position} className="font-semibold" />
    ) : (
      <Pnl value={position.realizedPnl} className="font-semibold" />
    ),
    [`Fees${soFar}`]: <Amount value={fees} unit="USDT" />,
    ...(funding !== 0 && { [`Funding${soFar}`]: <Pnl value={funding} /> }),
    'After fees': <Pnl value={toNetPnl(position)} className="font-semibold" />,
    ROE: isOpen ? <LiveResult position={position} kind="roe" /> : <Percent value={toClosedRoe(position)} />,
    'Result in R': <Pnl value={toRMultiple(position)} unit="R" />,
    Margin: <Amount value={margin} unit="USDT" />,
    'First stop loss': <Price value={initialStopLossPrice} tickSize={tickSize} />,
    'Take profit': <Price value={takeProfitPrice} tickSize={tickSize} />,
    [`Held${soFar}`]: <span className="figures">{formatDuration(held / 1000)}</span>,
    Opened: <DateTime iso={createdAt} />,
    ...(closedAt !== null && { Closed: <DateTime iso={closedAt} /> }),
  };
  return (
    <section
      aria-label={`Trade: ${symbol} ${sideLabel(side).toLowerCase()}`}
      className="rounded-control border border-line"
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-13">
        <span className="font-semibold">{symbol}</span>
        <Badge tone={side === 'BUY' ? 'up' : 'down'}>{`${sideLabel(side)} ${leverage}×`}</Badge>
        {isOpen ? <Badge>open</Badge> : null}
        {reason === null ? null : <Badge>{reason}</Badge>}
        {position.splitFrom === null ? null : <Badge>Part</Badge>}
        {position.editedAt === null ? null : <Badge>Adjusted by staff</Badge>}
      </div>
      <div className="grid gap-3 p-3 min-[1100px]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <dl className="grid grid-cols-2 content-start gap-x-4 gap-y-2 md:grid-cols-3">
          {Object.entries(figures).map(([label, figure]) => (
            <div key={label}>
              <dt className="text-11 text-text-3">{label}</dt>
              <dd className="text-13">{figure}</dd>
            </div>
          ))}
        </dl>
        <TradeChart key={`${position.id} ${position.status}`} position={position} tickSize={tickSize} />
      </div>
    </section>
  );
}
