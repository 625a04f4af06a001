/** What an open position is worth, live, as staff see it: by the last price that arrived, before it by the server's mark. */
import { asMoney, asPrice, asSize, parseDecimal, rulesOf, toNumber } from '@fulcrum/domain';
import { useCallback, useMemo } from 'react';
import { markOf, type Prices, sumOf } from '../../../shared/account/index.ts';
import {
  formatAmount,
  formatPercent,
  formatPrice,
  LiveFigure,
  type LiveSource,
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

/** ADMIN-77: BUY (mark − entry) × size, SELL the reverse; USDT. */
const pnlAt = (position: StaffPosition, mark: number): number =>
  toNumber(rulesOf(position.rules).unrealizedPnl(termsOf(position), asPrice(parseDecimal(mark))));

const openRoeAt = (position: StaffPosition, mark: number): number =>
  toNumber(rulesOf(position.rules).openRoe(termsOf(position), asPrice(parseDecimal(mark))));

/** Per cent; null for one that is not closed. */
export const closedRoe = (position: StaffPosition): number | null =>
  position.realized_pnl === null
    ? null
    : toNumber(
        rulesOf(position.rules).closedRoe(termsOf(position), asMoney(parseDecimal(position.realized_pnl))),
      );

const priceOf = (prices: Prices, { symbol, mark_price: markPrice }: StaffPosition): number | null =>
  markOf(prices, { symbol, markPrice });

function follow(
  prices: Prices,
  position: StaffPosition,
  figure: (position: StaffPosition, mark: number) => number,
): LiveSource {
  return {
    get: () => {
      const mark = priceOf(prices, position);
      return mark === null ? null : figure(position, mark);
    },
    subscribe: (changed) => prices.subscribe(position.symbol, changed),
  };
}

/** Null while the price of one of them is missing: a part is not the sum. */
function followSum(prices: Prices, positions: readonly StaffPosition[]): LiveSource {
  const symbols = new Set(positions.map(({ symbol }) => symbol));
  return {
    get: () => {
      const parts: number[] = [];
      for (const position of positions) {
        const mark = priceOf(prices, position);
        if (mark === null) return null;
        parts.push(pnlAt(position, mark));
      }
      return sumOf(parts);
    },
    subscribe: (changed) => {
      const stops = [...symbols].map((symbol) => prices.subscribe(symbol, changed));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Beside figures that move: closed positions follow no price. */
export function FollowedPrices() {
  useFollowedPrices(null);
  return null;
}

interface LiveProps {
  readonly position: StaffPosition;
  readonly className?: string;
}

const mark = (_position: StaffPosition, price: number) => price;
const signed = (value: number | null | undefined) => formatAmount(value, 'always');
const percent = (value: number | null | undefined) => formatPercent(value);

export function MarkPrice({ position, tickSize }: LiveProps & { readonly tickSize: number }) {
  const prices = usePriceStream();
  const source = useMemo(() => follow(prices, position, mark), [prices, position]);
  const format = useCallback((value: number | null | undefined) => formatPrice(value, tickSize), [tickSize]);
  return <LiveFigure source={source} format={format} />;
}

export function LivePnl({ position, className = '' }: LiveProps) {
  const prices = usePriceStream();
  const source = useMemo(() => follow(prices, position, pnlAt), [prices, position]);
  return <LiveFigure source={source} format={signed} colour="sign" className={className} />;
}

export function LiveRoe({ position, className = '' }: LiveProps) {
  const prices = usePriceStream();
  const source = useMemo(() => follow(prices, position, openRoeAt), [prices, position]);
  return <LiveFigure source={source} format={percent} colour="sign" className={className} />;
}

/** Of all of them together, USDT. */
export function LiveSum({ positions }: { readonly positions: readonly StaffPosition[] }) {
  const prices = usePriceStream();
  const source = useMemo(() => followSum(prices, positions), [prices, positions]);
  return <LiveFigure source={source} format={signed} colour="sign" className="font-semibold" />;
}
