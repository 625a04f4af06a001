/** An open position's live figures, for the table's cells and the phone's cards alike. They tick without renders. */
import UserPen from 'lucide-react/icons/user-pen';
import { useCallback, useMemo } from 'react';
import { sideName } from '../../../shared/account/index.ts';
import { formatPercent, formatPrice, LiveFigure } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Badge } from '../../../shared/ui/index.ts';
import { PriceStateMark, usePriceStream, useSampled } from '../../market/index.ts';
import { formatSigned } from '../ticket/AccountStrip.tsx';
import { followMark, isNearLiquidation, type Marked, markOf, openFigures } from './figures.ts';
import type { Steps } from './steps.ts';

interface PositionProps {
  readonly position: Position;
}
interface PricedProps extends PositionProps {
  readonly tickSize: number;
  readonly className?: string;
}

const same = (price: number) => price;
const formatBracketed = (value: number | null | undefined) => `(${formatPercent(value)})`;
const formatRoe = (value: number | null | undefined) => formatPercent(value);

function useTickFormat(tickSize: number) {
  return useCallback((value: number | null | undefined) => formatPrice(value, tickSize), [tickSize]);
}

/** Of the panel's tables: cells come closer and smaller as the screen narrows, so that the actions stay in sight from 1024 on. */
export const tableLook =
  'whitespace-nowrap max-[1399px]:[&_td]:px-2 max-[1399px]:[&_th]:px-2 max-xl:[&_td]:px-1.5 max-xl:[&_td]:text-12 max-xl:[&_th]:px-1.5';

export function SideBadge({
  side,
  leverage,
}: {
  readonly side: Position['side'];
  readonly leverage?: number;
}) {
  const word = sideName(side);
  return (
    <Badge tone={side === 'BUY' ? 'up' : 'down'}>
      {leverage === undefined ? word : `${word} ${leverage}×`}
    </Badge>
  );
}

const adjustedTitle = 'Our staff changed this position.';

/** A09: staff changed the position. */
export function AdjustedMark() {
  return (
    <span title={adjustedTitle}>
      <Badge>
        <span>
          Adjusted<span className="max-xl:md:sr-only"> by staff</span>
        </span>
      </Badge>
    </span>
  );
}

/** The same where a row has no room for words. */
export function AdjustedIcon() {
  return (
    <span title={adjustedTitle} className="text-text-2">
      <UserPen size={14} aria-hidden="true" />
      <span className="sr-only">Adjusted by staff</span>
    </span>
  );
}

interface MarkPriceProps extends Marked {
  readonly tickSize: number;
  readonly className?: string;
}

export function MarkPrice({ symbol, markPrice, tickSize, className = '' }: MarkPriceProps) {
  const stream = usePriceStream();
  const source = useMemo(() => followMark(stream, { symbol, markPrice }, same), [stream, symbol, markPrice]);
  return <LiveFigure source={source} format={useTickFormat(tickSize)} className={className} />;
}

/** A37: that the mark beside it is stale, delayed or of a closed market; nothing while it is none of these. */
export function MarkState({
  symbol,
  steps: { type, tradingHours },
  className = '',
}: {
  readonly symbol: string;
  readonly steps: Steps;
  readonly className?: string;
}) {
  const market = useMemo(() => ({ symbol, type, tradingHours }), [symbol, type, tradingHours]);
  return <PriceStateMark market={market} className={className} />;
}

/** Turns to the warning colour when the mark comes near. */
export function LiquidationPrice({ position, tickSize, className = '' }: PricedProps) {
  const stream = usePriceStream();
  const isNear = useSampled(position.symbol, () =>
    isNearLiquidation(markOf(stream, position), position.liquidationPrice),
  );
  return (
    <span className={`figures whitespace-nowrap ${isNear ? 'text-warn' : ''} ${className}`}>
      {formatPrice(position.liquidationPrice, tickSize)}
      {isNear ? <span className="sr-only"> near the mark price</span> : null}
    </span>
  );
}

export function LivePnl({ position, className = '' }: PositionProps & { readonly className?: string }) {
  const stream = usePriceStream();
  const source = useMemo(() => followMark(stream, position, openFigures(position).pnl), [stream, position]);
  return <LiveFigure source={source} format={formatSigned} colour="sign" className={className} />;
}

export function LiveRoe({
  position,
  bracketed = false,
  className = '',
}: PositionProps & { readonly bracketed?: boolean; readonly className?: string }) {
  const stream = usePriceStream();
  const source = useMemo(() => followMark(stream, position, openFigures(position).roe), [stream, position]);
  return (
    <LiveFigure
      source={source}
      format={bracketed ? formatBracketed : formatRoe}
      colour="sign"
      className={className}
    />
  );
}

/** What closing it now books, USDT. */
export function LiveBooked({ position, className = '' }: PositionProps & { readonly className?: string }) {
  const stream = usePriceStream();
  const source = useMemo(
    () => followMark(stream, position, openFigures(position).booked),
    [stream, position],
  );
  return <LiveFigure source={source} format={formatSigned} colour="sign" className={className} />;
}

/**
 * Under the `as-specified` rules a close books another figure than the unrealized one (A01), so the row says which.
 * Nothing under `standard`, where both are the same.
 */
export function ClosesAt({ position, className = '' }: PositionProps & { readonly className?: string }) {
  if (position.rules === 'standard') return null;
  return (
    <span className={`text-11 text-text-2 ${className}`}>
      closes at <LiveBooked position={position} /> USDT
    </span>
  );
}
