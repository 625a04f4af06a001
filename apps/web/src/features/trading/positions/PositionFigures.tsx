/** An open position's live figures, for both the table's cells and the phone's cards. They update without renders. */
import UserPen from 'lucide-react/icons/user-pen';
import { useMemo } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import {
  formatPercent,
  formatPrice,
  LiveFigure,
  type LiveSource,
  usePriceFormat,
} from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Badge } from '../../../shared/ui/index.ts';
import { PriceStateMark, usePriceStream, useSampled } from '../../market/index.ts';
import { formatSigned } from '../ticket/AccountStrip.tsx';
import { followMark, getMark, isNearLiquidation, type MarkedPosition, openFigures } from './figures.ts';
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

/** For the panel's tables: cells shrink with the table, so that the actions stay visible. */
export const tableStyles =
  'whitespace-nowrap @max-[1240px]:[&_:is(td,th)]:px-2 @max-[1000px]:[&_:is(td,th)]:px-1.5 @max-[820px]:[&_td]:text-12 @max-[640px]:[&_:is(td,th)]:px-1 @max-[1240px]:[&_th:not([aria-sort])_svg]:absolute @max-[1240px]:[&_th:not([aria-sort])_svg]:-right-1.5 @max-[1240px]:[&_th:not([aria-sort])_svg]:w-2.5 [&_th_button]:relative [&_th_button]:h-5';

export function SideBadge({
  side,
  leverage,
}: {
  readonly side: Position['side'];
  readonly leverage?: number;
}) {
  const label = sideLabel(side);
  return (
    <Badge tone={side === 'BUY' ? 'up' : 'down'}>
      {leverage === undefined ? label : `${label} ${leverage}×`}
    </Badge>
  );
}

const adjustedTitle = 'Our staff changed this position.';

/** Marks a position that staff changed (A09). */
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

/** The same mark as an icon, for a narrow row. */
export function AdjustedIcon() {
  return (
    <span title={adjustedTitle} className="text-text-2">
      <UserPen size={14} aria-hidden="true" />
      <span className="sr-only">Adjusted by staff</span>
    </span>
  );
}

interface MarkPriceProps extends MarkedPosition {
  readonly tickSize: number;
  readonly className?: string;
}

export function MarkPrice({ symbol, markPrice, tickSize, className = '' }: MarkPriceProps) {
  const stream = usePriceStream();
  const source = useMemo(() => followMark(stream, { symbol, markPrice }, same), [stream, symbol, markPrice]);
  return <LiveFigure source={source} format={usePriceFormat(tickSize)} className={className} />;
}

/** Marks a stale or delayed mark price, or one of a closed market; otherwise empty (A37). */
export function MarkPriceStatus({
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

/** Changes to the warning colour when the mark gets close. */
export function LiquidationPrice({ position, tickSize, className = '' }: PricedProps) {
  const stream = usePriceStream();
  const isNear = useSampled(position.symbol, () =>
    isNearLiquidation(getMark(stream, position), position.liquidationPrice),
  );
  return (
    <span className={`figures whitespace-nowrap ${isNear ? 'text-warn' : ''} ${className}`}>
      {formatPrice(position.liquidationPrice, tickSize)}
      {isNear ? <span className="sr-only"> near the mark price</span> : null}
    </span>
  );
}

function useMarkFigure(position: Position, name: 'pnl' | 'roe' | 'booked'): LiveSource {
  const stream = usePriceStream();
  return useMemo(() => followMark(stream, position, openFigures(position)[name]), [stream, position, name]);
}

type LiveProps = PositionProps & { readonly className?: string };

export function LivePnl({ position, className = '' }: LiveProps) {
  const source = useMarkFigure(position, 'pnl');
  return <LiveFigure source={source} format={formatSigned} colour="sign" className={className} />;
}

export function LiveRoe({
  position,
  bracketed = false,
  className = '',
}: LiveProps & { readonly bracketed?: boolean }) {
  const source = useMarkFigure(position, 'roe');
  return (
    <LiveFigure
      source={source}
      format={bracketed ? formatBracketed : formatPercent}
      colour="sign"
      className={className}
    />
  );
}

/** The result of closing it now, USDT. */
export function LiveClosingPnl({ position, className = '' }: LiveProps) {
  const source = useMarkFigure(position, 'booked');
  return <LiveFigure source={source} format={formatSigned} colour="sign" className={className} />;
}

/**
 * Under the `as-specified` rules a close books another figure than the unrealized one (A01), which the row shows.
 * Under the others both are the same, and this is empty.
 */
export function ClosingPnlNote({ position, className = '' }: LiveProps) {
  if (position.rules !== 'as-specified') return null;
  return (
    <span className={`text-11 text-text-2 ${className}`}>
      closes at <LiveClosingPnl position={position} /> USDT
    </span>
  );
}
