/**
 * What the screen says of a pair's session. Invariant: an opening is announced only when the hours tell one that lies
 * ahead. Known limitation: a recording does not say whether it goes on, so its shut market is closed without an opening.
 */
import { ALWAYS_OPEN, isMarketOpen, nextOpening } from '@fulcrum/domain';
import type { Freshness } from './prices/freshness.ts';

const opening = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

export interface SessionMoment {
  readonly freshness: Freshness;
  readonly tradingHours: string;
  readonly isReplay: boolean;
  /** The market's present, ms since the epoch. */
  readonly marketNow: number;
}

export function sessionWord({ freshness, tradingHours, isReplay, marketNow }: SessionMoment): string {
  if (freshness === 'missing') return 'No prices';
  if (freshness !== 'closed') return tradingHours === ALWAYS_OPEN ? 'Open 24/7' : 'Open';
  const isWithinHours = isMarketOpen(tradingHours, marketNow);
  if (isReplay) return isWithinHours ? 'Recording ended' : 'Closed';
  const next = isWithinHours ? null : nextOpening(tradingHours, marketNow);
  return next === null ? 'Closed' : `Opens ${opening.format(next)} UTC`;
}
