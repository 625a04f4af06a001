/** Whether a pair's market trades now, and when it opens again. */
import type { Pair } from './pairs/usePairs.ts';
import { useFreshnessReading, usePriceStream, useSampled } from './prices/usePrices.ts';
import { sessionWord } from './session-word.ts';

export function Session({ pair }: { readonly pair: Pair }) {
  const stream = usePriceStream();
  const readFreshness = useFreshnessReading();
  const { symbol, tradingHours } = pair;
  const { word, trades } = useSampled(symbol, () => {
    const tick = stream.latest(symbol);
    const freshness = readFreshness(pair);
    const isReplay = tick?.source === 'replay';
    return {
      word: sessionWord({ freshness, tradingHours, isReplay, marketNow: stream.marketNow(symbol) }),
      trades: freshness === 'fresh' || freshness === 'stale',
    };
  });
  return <span className={trades ? '' : 'text-warn'}>{word}</span>;
}
