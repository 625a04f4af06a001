/** What holding a net position costs, in words with figures (A113). The domain has the rates and the instants. */
import {
  asPrice,
  asSize,
  FUNDING_RATE,
  financingRates,
  type MarketType,
  multiply,
  nextDueInstant,
  parseDecimal,
  type Side,
  timeCost,
  timeCostKindOf,
  toNumber,
} from '@fulcrum/domain';
import { formatAmount, formatFigure } from '../../shared/numbers/index.ts';
import { formatDuration } from '../../shared/time/duration.ts';

/** A fraction in 1e-8 as per cent, without its sign. */
const percent = (rate: bigint, decimals: number): string =>
  `${formatFigure(Math.abs(toNumber(rate * 100n)), decimals)} %`;
const dueAtOf = (market: MarketType, now: number): number => nextDueInstant(timeCostKindOf(market), now);

/** The next due instant, with the rate of either side. `now`: ms since the epoch. */
export function timeCostText(market: MarketType, now: number): string {
  const dueAt = dueAtOf(market, now);
  const left = formatDuration((dueAt - now) / 1000);
  if (timeCostKindOf(market) === 'funding') {
    return `Funding ${percent(FUNDING_RATE, 4)} in ${left}, modelled premium 0: a buy pays it, a sell receives it.`;
  }
  const { BUY, SELL } = financingRates(dueAt);
  const sell = SELL < 0n ? 'pays' : 'receives';
  return `Financing in ${left}: a buy pays ${percent(BUY, 2)} a year, a sell ${sell} ${percent(SELL, 2)}. Each day at 21:00 UTC, weekends too.`;
}

interface Held {
  readonly side: Side;
  readonly size: number;
  readonly funding: number;
}

/** What the position has paid or received, and what follows next at this mark. */
export function heldCostText(
  { side, size, funding }: Held,
  market: MarketType,
  mark: number,
  now: number,
): string {
  const value = multiply(asPrice(parseDecimal(mark)), asSize(parseDecimal(size)));
  const kind = timeCostKindOf(market);
  const next = toNumber(timeCost(kind, side, value, dueAtOf(market, now)));
  const name = kind === 'funding' ? 'Funding' : 'Financing';
  return `${name} so far ${formatAmount(funding, 'always')} USDT, next about ${formatAmount(next, 'always')}.`;
}
