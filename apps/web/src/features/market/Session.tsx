/** Whether a pair's market trades now, and how long until it opens again. */
import type { Pair } from './pairs/usePairs.ts';
import { useFreshnessReading, usePriceStream, useSampled } from './prices/usePrices.ts';
import { openingAfter, openingTitle, type SessionMoment, sessionWord, waitText } from './session-word.ts';

function useMoment({ symbol, type, tradingHours }: SessionPair): () => SessionMoment {
  const stream = usePriceStream();
  const readFreshness = useFreshnessReading();
  return () => ({
    freshness: readFreshness({ symbol, type, tradingHours }),
    tradingHours,
    isReplay: stream.latest(symbol)?.source === 'replay',
    marketNow: stream.marketNow(symbol),
  });
}

type SessionPair = Pick<Pair, 'symbol' | 'type' | 'tradingHours'>;

export function Session({ pair }: { readonly pair: SessionPair }) {
  const read = useMoment(pair);
  const { word, opening, trades } = useSampled(pair.symbol, () => {
    const moment = read();
    return {
      word: sessionWord(moment),
      opening: openingAfter(moment),
      trades: moment.freshness !== 'closed' && moment.freshness !== 'missing',
    };
  });
  return (
    <span
      className={trades ? '' : 'text-warn'}
      {...(opening === null ? {} : { title: openingTitle(opening) })}
    >
      {word}
    </span>
  );
}

/** A98: `Opens in 3 h 12 min`; nothing while the market is open or no hours tell. */
export function Opening({ pair }: { readonly pair: SessionPair }) {
  const read = useMoment(pair);
  const shown = useSampled(pair.symbol, () => {
    const moment = read();
    const opening = openingAfter(moment);
    return opening === null ? null : { opening, wait: waitText(opening - moment.marketNow) };
  });
  if (shown === null) return null;
  return <span title={openingTitle(shown.opening)}>{`Opens in ${shown.wait}`}</span>;
}
