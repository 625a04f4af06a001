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

/** How long until the next due instant. `now`: ms since the epoch, here and below. */
export const timeLeftText = (market: MarketType, now: number): string =>
  formatDuration((dueAtOf(market, now) - now) / 1000);

/** What stands before and after the time that is left: the rate of either side at the next due instant. */
export function timeCostTexts(market: MarketType, now: number): readonly [before: string, after: string] {
  if (timeCostKindOf(market) === 'funding') {
    const rate = percent(FUNDING_RATE, 4);
    return [`Funding ${rate} in `, ', modelled premium 0: a buy pays it, a sell receives it.'];
  }
  const { BUY, SELL } = financingRates(dueAtOf(market, now));
  const sell = `a sell ${SELL < 0n ? 'pays' : 'receives'} ${percent(SELL, 2)}`;
  return [
    'Financing in ',
    `: a buy pays ${percent(BUY, 2)} a year, ${sell}. Each day at 21:00 UTC, weekends too.`,
  ];
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
