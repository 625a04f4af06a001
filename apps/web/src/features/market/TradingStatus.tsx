/** Shows whether a pair's market trades now, and how long until it opens again. */
import type { Pair } from './pairs/usePairs.ts';
import { usePriceStream, useReadFreshness, useSampled } from './prices/usePrices.ts';
import {
  formatOpeningTitle,
  formatWait,
  getNextOpening,
  getTradingStatusLabel,
  type TradingStatusInput,
} from './trading-status.ts';

function useTradingStatusInput({ symbol, type, tradingHours }: MarketPair): () => TradingStatusInput {
  const stream = usePriceStream();
  const readFreshness = useReadFreshness();
  return () => ({
    freshness: readFreshness({ symbol, type, tradingHours }),
    tradingHours,
    isReplay: stream.latest(symbol)?.source === 'replay',
    marketNow: stream.marketNow(symbol),
  });
}

type MarketPair = Pick<Pair, 'symbol' | 'type' | 'tradingHours'>;

export function TradingStatus({ pair }: { readonly pair: MarketPair }) {
  const read = useTradingStatusInput(pair);
  const { label, opening, trades } = useSampled(pair.symbol, () => {
    const input = read();
    return {
      label: getTradingStatusLabel(input),
      opening: getNextOpening(input),
      trades: input.freshness !== 'closed' && input.freshness !== 'missing',
    };
  });
  return (
    <span
      className={trades ? '' : 'text-warn'}
      {...(opening === null ? {} : { title: formatOpeningTitle(opening) })}
    >
      {label}
    </span>
  );
}

/** `Opens in 3 h 12 min`; empty while the market is open or no opening is known (A98). */
export function OpeningCountdown({ pair }: { readonly pair: MarketPair }) {
  const read = useTradingStatusInput(pair);
  const shown = useSampled(pair.symbol, () => {
    const input = read();
    const opening = getNextOpening(input);
    return opening === null ? null : { opening, wait: formatWait(opening - input.marketNow) };
  });
  if (shown === null) return null;
  return <span title={formatOpeningTitle(shown.opening)}>{`Opens in ${shown.wait}`}</span>;
}
