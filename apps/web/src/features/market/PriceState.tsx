/**
 * What a pair's price is worth, as a badge in the head of the screen and as a word beside a single price. The words and
 * their explanations are those of shared/prices; ages and titles are written without renders.
 */
import { useCallback, useLayoutEffect, useRef } from 'react';
import { stateExplanation } from '../../shared/prices/state-explanation.ts';
import { type ShownState, stateWords } from '../../shared/prices/state-words.ts';
import { formatAge } from '../../shared/time/age.ts';
import { LiveText } from '../../shared/time/LiveText.tsx';
import { onEverySecond } from '../../shared/time/seconds.ts';
import { Badge } from '../../shared/ui/index.ts';
import { type PricedMarket, usePriceStream, useSampled, useStandingReading } from './prices/usePrices.ts';

/** `· 32 s`, counting. */
function Age({ symbol }: { readonly symbol: string }) {
  const stream = usePriceStream();
  const read = useCallback(() => `· ${formatAge(stream.ageMs(symbol))}`, [stream, symbol]);
  return <LiveText read={read} className="ml-1" />;
}

/** Where a price may not be traded on, that it is made up still has to be told. */
const madeUp = { simulated: 'simulated', replay: 'replay', binance: null, yahoo: null } as const;

interface Shown {
  readonly state: ShownState;
  readonly made: 'simulated' | 'replay' | null;
  readonly ages: boolean;
}

/** In the head: always there, quiet while the price is a live one. */
export function PriceStateBadge({ market }: { readonly market: PricedMarket }) {
  const read = useStandingReading();
  const root = useRef<HTMLSpanElement>(null);
  const { symbol } = market;
  const { state, made, ages } = useSampled<Shown>(symbol, () => {
    const standing = read(market);
    return {
      state: standing.state,
      made: standing.source === null ? null : madeUp[standing.source],
      ages: standing.state === 'stale' && !standing.isHeld,
    };
  });
  useLayoutEffect(() => {
    const write = () => {
      const title = stateExplanation(read(market));
      if (root.current && root.current.title !== title) root.current.title = title;
    };
    write();
    return onEverySecond(write);
  }, [read, market]);

  const { word, tone } = stateWords[state];
  return (
    <span ref={root} className="flex items-center gap-1.5">
      {made === null || made === state ? null : <Badge tone="warn">{stateWords[made].word}</Badge>}
      <Badge tone={tone === 'warn' ? 'warn' : 'neutral'}>
        {state === 'live' ? <span aria-hidden="true" className="mr-1.5 size-1.5 rounded-full bg-up" /> : null}
        {ages ? `${word} ` : word}
        {ages ? <Age symbol={symbol} /> : null}
      </Badge>
    </span>
  );
}

/** Beside one price of many: a word only where the price is not what it seems. */
export function PriceStateMark({
  market,
  className = '',
}: {
  readonly market: PricedMarket;
  readonly className?: string;
}) {
  const read = useStandingReading();
  const state = useSampled(market.symbol, () => read(market).state);
  if (state !== 'closed' && state !== 'stale' && state !== 'delayed') return null;
  const { word, tone } = stateWords[state];
  return (
    <span
      title={stateExplanation(read(market))}
      className={`text-11 font-normal ${tone === 'warn' ? 'text-warn' : 'text-text-3'} ${className}`}
    >
      {word}
    </span>
  );
}
