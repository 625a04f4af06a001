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

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-11 text-text-3">{label}</dt>
      <dd className="text-13">{children}</dd>
    </div>
  );
}

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
          <Figure label="Entry">
            <Price value={entryPrice} tickSize={tickSize} className="font-medium" />
          </Figure>
          <Figure label="Exit">
            <Price value={closePrice} tickSize={tickSize} className="font-medium" />
          </Figure>
          <Figure label="Size">
            <Size value={size} stepSize={stepSize} {...(pair ? { unit: pair.baseAsset } : {})} />
          </Figure>
          <Figure label={isOpen ? 'PnL now' : 'PnL'}>
            {isOpen ? (
              <LiveResult position={position} className="font-semibold" />
            ) : (
              <Pnl value={position.realizedPnl} className="font-semibold" />
            )}
          </Figure>
          <Figure label={isOpen ? 'Fees so far' : 'Fees'}>
            <Amount value={fees} unit="USDT" />
          </Figure>
          {funding === 0 ? null : (
            <Figure label={isOpen ? 'Funding so far' : 'Funding'}>
              <Pnl value={funding} />
            </Figure>
          )}
          <Figure label="After fees">
            <Pnl value={toNetPnl(position)} className="font-semibold" />
          </Figure>
          <Figure label="ROE">
            {isOpen ? (
              <LiveResult position={position} kind="roe" />
            ) : (
              <Percent value={toClosedRoe(position)} />
            )}
          </Figure>
          <Figure label="Result in R">
            <Pnl value={toRMultiple(position)} unit="R" />
          </Figure>
          <Figure label="Margin">
            <Amount value={margin} unit="USDT" />
          </Figure>
          <Figure label="First stop loss">
            <Price value={initialStopLossPrice} tickSize={tickSize} />
          </Figure>
          <Figure label="Take profit">
            <Price value={takeProfitPrice} tickSize={tickSize} />
          </Figure>
          <Figure label={isOpen ? 'Held so far' : 'Held'}>
            <span className="figures">{formatDuration(held / 1000)}</span>
          </Figure>
          <Figure label="Opened">
            <DateTime iso={createdAt} />
          </Figure>
          {closedAt === null ? null : (
            <Figure label="Closed">
              <DateTime iso={closedAt} />
            </Figure>
          )}
        </dl>
        <TradeChart key={`${position.id} ${position.status}`} position={position} tickSize={tickSize} />
      </div>
    </section>
  );
}
