/**
 * The state of a pair's price: a badge in the header of the screen, and a short label beside a single price. Labels
 * and explanations come from shared/prices. Ages and titles are written to the DOM without renders.
 */
import { useCallback, useLayoutEffect, useRef } from 'react';
import { explainState } from '../../shared/prices/state-explanation.ts';
import { type ShownState, stateLabels } from '../../shared/prices/state-labels.ts';
import { formatAge } from '../../shared/time/age.ts';
import { LiveText } from '../../shared/time/LiveText.tsx';
import { onEverySecond } from '../../shared/time/seconds.ts';
import { Badge } from '../../shared/ui/index.ts';
import { type PricedMarket, usePriceStream, useReadPriceStatus, useSampled } from './prices/usePrices.ts';

/** The price's age, counting: `· 32 s`. */
function Age({ symbol }: { readonly symbol: string }) {
  const stream = usePriceStream();
  const read = useCallback(() => `· ${formatAge(stream.ageMs(symbol))}`, [stream, symbol]);
  return <LiveText read={read} className="ml-1" />;
}

/** A price that may not be traded on still shows that it is synthetic. */
const syntheticStates = { simulated: 'simulated', replay: 'replay', binance: null, yahoo: null } as const;

interface Shown {
  readonly state: ShownState;
  readonly isSynthetic: 'simulated' | 'replay' | null;
  readonly ages: boolean;
}

/** The header's badge: always shown, and inconspicuous while the price is live. */
export function PriceStateBadge({ market }: { readonly market: PricedMarket }) {
  const read = useReadPriceStatus();
  const root = useRef<HTMLSpanElement>(null);
  const { symbol } = market;
  const { state, isSynthetic, ages } = useSampled<Shown>(symbol, () => {
    const priceStatus = read(market);
    return {
      state: priceStatus.state,
      isSynthetic: priceStatus.source === null ? null : syntheticStates[priceStatus.source],
      ages: priceStatus.state === 'stale' && !priceStatus.isHeld,
    };
  });
  useLayoutEffect(() => {
    const write = () => {
      const title = explainState(read(market));
      if (root.current && root.current.title !== title) root.current.title = title;
    };
    write();
    return onEverySecond(write);
  }, [read, market]);

  const { label, tone } = stateLabels[state];
  return (
    <span ref={root} className="flex items-center gap-1.5">
      {isSynthetic === null || isSynthetic === state ? null : (
        <Badge tone="warn">{stateLabels[isSynthetic].label}</Badge>
      )}
      <Badge tone={tone === 'warn' ? 'warn' : 'neutral'}>
        {state === 'live' ? <span aria-hidden="true" className="mr-1.5 size-1.5 rounded-full bg-up" /> : null}
        {ages ? `${label} ` : label}
        {ages ? <Age symbol={symbol} /> : null}
      </Badge>
    </span>
  );
}

/** A label beside one price of many, shown only where the price is not a live one. */
export function PriceStateMark({
  market,
  className = '',
}: {
  readonly market: PricedMarket;
  readonly className?: string;
}) {
  const read = useReadPriceStatus();
  const state = useSampled(market.symbol, () => read(market).state);
  if (state !== 'closed' && state !== 'stale' && state !== 'delayed') return null;
  const { label, tone } = stateLabels[state];
  return (
    <span
      title={explainState(read(market))}
      className={`text-11 font-normal ${tone === 'warn' ? 'text-warn' : 'text-text-3'} ${className}`}
    >
      {label}
    </span>
  );
}
