/** Whether a pair's market trades now, and when it opens again. */
import { ALWAYS_OPEN, nextOpening } from '@fulcrum/domain';
import type { Pair } from './pairs/usePairs.ts';
import { useFreshness } from './prices/usePrices.ts';

const opening = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

export function Session({ pair }: { readonly pair: Pair }) {
  const freshness = useFreshness(pair);
  if (freshness !== 'closed') return <span>{pair.tradingHours === ALWAYS_OPEN ? 'Open 24/7' : 'Open'}</span>;
  const next = nextOpening(pair.tradingHours, Date.now());
  return <span className="text-warn">{next === null ? 'Closed' : `Opens ${opening.format(next)} UTC`}</span>;
}
