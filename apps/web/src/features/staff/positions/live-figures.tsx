/** Live figures of an open position for staff: at the latest received price, before that at the server's mark price. */
import { asMoney, asPrice, asSize, parseDecimal, rulesOf, toNumber } from '@fulcrum/domain';
import { useMemo } from 'react';
import { getMark, type PriceSource, sumAmounts } from '../../../shared/account/index.ts';
import {
  formatAmount,
  formatPercent,
  LiveFigure,
  type LiveSource,
  usePriceFormat,
} from '../../../shared/numbers/index.ts';
import { useFollowedPrices, usePriceStream } from '../../market/index.ts';
import type { StaffPosition } from './usePositions.ts';

const termsOf = ({ side, entry_price, size, leverage, margin }: StaffPosition) => ({
  side,
  entryPrice: asPrice(parseDecimal(entry_price)),
  size: asSize(parseDecimal(size)),
  leverage,
  margin: asMoney(parseDecimal(margin)),
});

/** PnL in USDT: BUY (mark − entry) × size, SELL the reverse (ADMIN-77). */
const pnlAt = (position: StaffPosition, mark: number): number =>
  toNumber(rulesOf(position.rules).unrealizedPnl(termsOf(position), asPrice(parseDecimal(mark))));

const openRoeAt = (position: StaffPosition, mark: number): number =>
  toNumber(rulesOf(position.rules).openRoe(termsOf(position), asPrice(parseDecimal(mark))));

/** ROE in per cent; null for an open position. */
export const toClosedRoe = (position: StaffPosition): number | null =>
  position.realized_pnl === null
    ? null
    : toNumber(
        rulesOf(position.rules).closedRoe(termsOf(position), asMoney(parseDecimal(position.realized_pnl))),
      );

const getMarkPrice = (prices: PriceSource, { symbol, mark_price: markPrice }: StaffPosition): number | null =>
  getMark(prices, { symbol, markPrice });

function createLiveSource(
  prices: PriceSource,
  position: StaffPosition,
  figure: (position: StaffPosition, mark: number) => number,
): LiveSource {
  return {
    get: () => {
      const mark = getMarkPrice(prices, position);
      return mark === null ? null : figure(position, mark);
    },
    subscribe: (changed) => prices.subscribe(position.symbol, changed),
  };
}

/** Sum of the PnL; null while a price is missing, because a partial sum is wrong. */
function createPnlSumSource(prices: PriceSource, positions: readonly StaffPosition[]): LiveSource {
  const symbols = new Set(positions.map(({ symbol }) => symbol));
  return {
    get: () => {
      const parts: number[] = [];
      for (const position of positions) {
        const mark = getMarkPrice(prices, position);
        if (mark === null) return null;
        parts.push(pnlAt(position, mark));
      }
      return sumAmounts(parts);
    },
    subscribe: (changed) => {
      const stops = [...symbols].map((symbol) => prices.subscribe(symbol, changed));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Subscribes to the prices; rendered beside live figures only, because closed positions need no prices. */
export function PriceSubscription() {
  useFollowedPrices(null);
  return null;
}

interface LiveProps {
  readonly position: StaffPosition;
  readonly className?: string;
}

const markFigure = (_position: StaffPosition, price: number) => price;
const formatSignedAmount = (value: number | null | undefined) => formatAmount(value, 'always');

export function MarkPrice({ position, tickSize }: LiveProps & { readonly tickSize: number }) {
  const prices = usePriceStream();
  const source = useMemo(() => createLiveSource(prices, position, markFigure), [prices, position]);
  const format = usePriceFormat(tickSize);
  return <LiveFigure source={source} format={format} />;
}

export function LivePnl({ position, className = '' }: LiveProps) {
  const prices = usePriceStream();
  const source = useMemo(() => createLiveSource(prices, position, pnlAt), [prices, position]);
  return <LiveFigure source={source} format={formatSignedAmount} colour="sign" className={className} />;
}

export function LiveRoe({ position, className = '' }: LiveProps) {
  const prices = usePriceStream();
  const source = useMemo(() => createLiveSource(prices, position, openRoeAt), [prices, position]);
  return <LiveFigure source={source} format={formatPercent} colour="sign" className={className} />;
}

/** The total PnL of the positions, USDT. */
export function LiveSum({ positions }: { readonly positions: readonly StaffPosition[] }) {
  const prices = usePriceStream();
  const source = useMemo(() => createPnlSumSource(prices, positions), [prices, positions]);
  return <LiveFigure source={source} format={formatSignedAmount} colour="sign" className="font-semibold" />;
}
