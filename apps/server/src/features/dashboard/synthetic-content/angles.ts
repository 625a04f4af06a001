/**
 * The angles of a headline about one market: each reads the price history as of an instant, and returns nothing where it has
 * no figure. Verbs carry the direction, so figures of a move have no sign. An angle about the present states the condition
 * under which it holds.
 */
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import type { StatedFigure } from './drafts.ts';
import { type FollowedMarket, tradesAt } from './followed-markets.ts';
import { barsWithin, changeOver, priceAt, rangeOver } from './price-history.ts';
import {
  formatFigure,
  formatLarge,
  formatPercent,
  formatPrice,
  getMarketName,
  isFlat,
  midSentence,
} from './wording.ts';

export interface AnglePhrases {
  readonly phrases: readonly string[];
  readonly stated: readonly StatedFigure[];
  /** Called with the present price. */
  readonly holds?: (price: number) => boolean;
}
export type Angle = (market: FollowedMarket, at: number) => AnglePhrases | null;

const stepMs = 15 * minuteMs;

function change({ pair, history }: FollowedMarket, at: number, spanMs: number) {
  const percent = changeOver(history, at, spanMs);
  const price = priceAt(history, at);
  if (percent === null || price === null || isFlat(percent, pair)) return null;
  const { symbol } = pair;
  return {
    name: getMarketName(pair),
    isUp: percent > 0,
    size: formatPercent(percent, pair),
    price: formatPrice(price, pair),
    stated: [
      { is: 'change', symbol, at, spanMs, value: percent },
      { is: 'price', symbol, at, value: price },
    ] satisfies StatedFigure[],
  };
}

const hour: Angle = (market, at) => {
  const moved = change(market, at, hourMs);
  if (!moved) return null;
  const { name, isUp, size, price, stated } = moved;
  return {
    stated,
    phrases: isUp
      ? [
          `${name} adds ${size} in an hour to ${price}`,
          `${name} gains ${size} over the past hour, at ${price}`,
          `${name} edges up to ${price}, ${size} above an hour ago`,
          `An hour of buying lifts ${midSentence(name)} ${size} to ${price}`,
        ]
      : [
          `${name} slips ${size} in an hour to ${price}`,
          `${name} eases ${size} over the past hour, at ${price}`,
          `${name} gives up ${size} within an hour, at ${price}`,
          `${name} drifts to ${price}, ${size} below an hour ago`,
        ],
  };
};

const sixHours: Angle = (market, at) => {
  const moved = change(market, at, 6 * hourMs);
  if (!moved) return null;
  const { name, isUp, size, price, stated } = moved;
  return {
    stated,
    phrases: [
      `${name} at ${price}, ${size} ${isUp ? 'higher' : 'lower'} than six hours ago`,
      `${name} ${isUp ? 'gains' : 'loses'} ${size} in six hours to ${price}`,
    ],
  };
};

const day: Angle = (market, at) => {
  const moved = change(market, at, dayMs);
  if (!moved) return null;
  const { name, isUp, size, price, stated } = moved;
  return {
    stated,
    phrases: [
      `${name} ${isUp ? 'up' : 'down'} ${size} over 24 hours at ${price}`,
      `${name} trades at ${price}, ${size} ${isUp ? 'above' : 'below'} this time yesterday`,
      `24 hours ${isUp ? 'add' : 'cost'} ${midSentence(name)} ${size}, last at ${price}`,
      `${name} ${isUp ? 'extends its day to a gain' : 'stands at a loss'} of ${size} in 24 hours`,
    ],
  };
};

const sinceMidnight: Angle = (market, at) => {
  // Shares have a session to count from.
  if (hasSession(market)) return null;
  const moved = at % dayMs < 3 * hourMs ? null : change(market, at, at % dayMs);
  if (!moved) return null;
  const { name, isUp, size, price, stated } = moved;
  return {
    stated,
    phrases: [
      `${name} ${size} ${isUp ? 'higher' : 'lower'} since 00:00 UTC at ${price}`,
      `Since 00:00 UTC: ${midSentence(name)} ${isUp ? 'up' : 'down'} ${size} to ${price}`,
    ],
  };
};

const range: Angle = ({ pair, history }, at) => {
  const found = rangeOver(history, at, dayMs);
  if (!found) return null;
  const name = getMarketName(pair);
  const [low, high] = [formatPrice(found.low, pair), formatPrice(found.high, pair)];
  return {
    stated: [{ is: 'range', symbol: pair.symbol, at, spanMs: dayMs }],
    phrases: [
      `${name} between ${low} and ${high} in 24 hours`,
      `24-hour range of ${midSentence(name)}: ${low} to ${high}`,
    ],
  };
};

const nearShare = 0.004;
const nearHigh: Angle = ({ pair, history }, at) => {
  const found = rangeOver(history, at, dayMs);
  const price = priceAt(history, at);
  if (!found || price === null) return null;
  const name = getMarketName(pair);
  const isHigh = price >= found.high * (1 - nearShare);
  const isLow = price <= found.low * (1 + nearShare);
  if (isHigh === isLow) return null;
  const end = isHigh ? found.high : found.low;
  const which = isHigh ? 'high' : 'low';
  return {
    stated: [{ is: 'range', symbol: pair.symbol, at, spanMs: dayMs }],
    holds: (last) => Math.abs(last / end - 1) <= 2 * nearShare,
    phrases: [
      `${name} near its 24-hour ${which} of ${formatPrice(end, pair)}`,
      `${name} trades close to the day's ${which} of ${formatPrice(end, pair)}`,
    ],
  };
};

/** A round number with two digits that count, next to the price: 97,000, 4,150, 1.15. */
function roundLevels(price: number): { below: number; above: number } {
  const step = 10 ** (Math.floor(Math.log10(price)) - 1) / 2;
  const below = Math.floor(price / step) * step;
  return { below, above: below + step };
}
const levelText = (level: number, price: number): string =>
  formatFigure(level, Math.max(0, 2 - Math.floor(Math.log10(price))));

const level: Angle = ({ pair, history }, at) => {
  const price = priceAt(history, at);
  const found = rangeOver(history, at, 6 * hourMs);
  if (price === null || !found) return null;
  const name = getMarketName(pair);
  const { symbol } = pair;
  const { below, above } = roundLevels(price);
  const wasBelow = (priceAt(history, at - hourMs) ?? price) < below;
  const wasAbove = (priceAt(history, at - hourMs) ?? price) > above;
  if (found.low > below && price > below && !wasAbove) {
    return {
      stated: [{ is: 'level', symbol, value: below, side: 'above' }],
      holds: (last) => last > below,
      phrases: [
        `${name} holds above ${levelText(below, price)}`,
        `${name} stays above ${levelText(below, price)} for a sixth hour`,
      ],
    };
  }
  if (wasBelow && price > below) {
    return {
      stated: [{ is: 'level', symbol, value: below, side: 'above' }],
      holds: (last) => last > below,
      phrases: [
        `${name} moves above ${levelText(below, price)}`,
        `${name} climbs past ${levelText(below, price)}`,
      ],
    };
  }
  if (found.high < above && price < above) {
    return {
      stated: [{ is: 'level', symbol, value: above, side: 'below' }],
      holds: (last) => last < above,
      phrases: [`${name} stays below ${levelText(above, price)}`],
    };
  }
  if (wasAbove && price < above) {
    return {
      stated: [{ is: 'level', symbol, value: above, side: 'below' }],
      holds: (last) => last < above,
      phrases: [
        `${name} drops below ${levelText(above, price)}`,
        `${name} back under ${levelText(above, price)}`,
      ],
    };
  }
  return null;
};

const ordinals = ['third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const streak: Angle = ({ pair, history }, at) => {
  const price = priceAt(history, at);
  const first = changeOver(history, at, hourMs);
  if (price === null || first === null || first === 0) return null;
  let hours = 1;
  while (hours < 8 && (changeOver(history, at - hours * hourMs, hourMs) ?? 0) * first > 0) hours += 1;
  const ordinal = ordinals[hours - 3];
  if (ordinal === undefined) return null;
  const name = getMarketName(pair);
  const verb = first > 0 ? 'rises' : 'falls';
  return {
    stated: [{ is: 'price', symbol: pair.symbol, at, value: price }],
    phrases: [
      `${name} ${verb} for ${/^e/.test(ordinal) ? 'an' : 'a'} ${ordinal} hour in a row to ${formatPrice(price, pair)}`,
    ],
  };
};

const still: Angle = ({ pair, history }, at) => {
  const percent = changeOver(history, at, hourMs);
  const price = priceAt(history, at);
  if (percent === null || price === null || Math.abs(percent) > 0.15) return null;
  const name = getMarketName(pair);
  return {
    stated: [{ is: 'price', symbol: pair.symbol, at, value: price }],
    phrases: [
      `${name} little changed over the past hour at ${formatPrice(price, pair)}`,
      `Quiet hour for ${midSentence(name)} at ${formatPrice(price, pair)}`,
      `${name} marks time at ${formatPrice(price, pair)}`,
    ],
  };
};

const swing: Angle = ({ pair, history }, at) => {
  const [now, before] = [rangeOver(history, at, hourMs), rangeOver(history, at - hourMs, hourMs)].map(
    (found) => (found ? (found.high / found.low - 1) * 100 : null),
  );
  if (now == null || before == null || isFlat(now, pair) || isFlat(before, pair)) return null;
  const [last, first] = [formatPercent(now, pair), formatPercent(before, pair)];
  if (last === first || Math.max(now / before, before / now) < 1.5) return null;
  const name = midSentence(getMarketName(pair));
  const { symbol } = pair;
  return {
    stated: [
      { is: 'range', symbol, at, spanMs: hourMs },
      { is: 'range', symbol, at: at - hourMs, spanMs: hourMs },
    ],
    phrases: [
      `Hourly range of ${name} ${now > before ? 'widens' : 'narrows'} to ${last} from ${first}`,
      `${now > before ? 'Livelier' : 'Calmer'} trading in ${name}: a range of ${last} in an hour after ${first}`,
    ],
  };
};

const turnover: Angle = ({ pair, history }, at) => {
  const bars = barsWithin(history, at, dayMs);
  const [first] = bars;
  if (pair.type !== 'crypto' || !first || first.from > at - dayMs + hourMs) return null;
  const total = bars.reduce((sum, bar) => sum + bar.turnover, 0);
  if (total < 1e6) return null;
  const name = getMarketName(pair);
  return {
    stated: [],
    phrases: [
      `${name} turnover over 24 hours at ${formatLarge(total)} ${pair.quoteAsset}`,
      `${name}: ${formatLarge(total)} ${pair.quoteAsset} change hands in 24 hours`,
    ],
  };
};
const hasSession = ({ pair: { type } }: FollowedMarket): boolean => type === 'stock' || type === 'index';

/** How long the session has run at `at`, by the market's own hours; null when it is shut or began less than an hour ago. */
const opened: Angle = (market, at) => {
  const { pair } = market;
  if (!hasSession(market)) return null;
  const sinceMs = sessionAge(market, at);
  const moved = sinceMs < hourMs ? null : change(market, at, sinceMs);
  if (!moved) return null;
  const { name, isUp, size, price, stated } = moved;
  const direction = isUp ? 'above' : 'below';
  if (!tradesAt(pair, at)) {
    return {
      stated,
      phrases: [
        `${name} ends the session at ${price}, ${size} ${direction} where it began`,
        `Closing price of ${midSentence(name)}: ${price}, ${size} ${direction} the opening`,
      ],
    };
  }
  return {
    stated,
    phrases: [
      `${name} ${isUp ? 'up' : 'down'} ${size} since the opening bell at ${price}`,
      `${name} at ${price}, ${size} ${direction} where the session began`,
      `Session so far: ${midSentence(name)} ${isUp ? 'gains' : 'loses'} ${size} to ${price}`,
    ],
  };
};

const longestSessionMs = 9 * hourMs;
function sessionAge({ pair }: FollowedMarket, at: number): number {
  let age = 0;
  while (age <= longestSessionMs && tradesAt(pair, at - age - stepMs)) age += stepMs;
  return age;
}

/** What the provider of a polled market stated about its own day. */
export const onTheDay: Angle = ({ pair, daySnapshots: sightings }, at) => {
  const seen = sightings.findLast((one) => one.at <= at);
  if (!seen || seen.at <= at - stepMs || isFlat(seen.dayPercent, pair)) return null;
  const name = getMarketName(pair);
  const isUp = seen.dayPercent > 0;
  const [size, price] = [formatPercent(seen.dayPercent, pair), formatPrice(seen.price, pair)];
  return {
    stated: [],
    phrases: [
      `${name} ${isUp ? 'up' : 'down'} ${size} on the day at ${price}`,
      `${name} trades ${size} ${isUp ? 'higher' : 'lower'} on the day at ${price}`,
      `${name} at ${price}, a ${isUp ? 'gain' : 'loss'} of ${size} on the day`,
    ],
  };
};

export const angles: Readonly<Record<string, Angle>> = {
  hour,
  'six hours': sixHours,
  day,
  'since midnight': sinceMidnight,
  range,
  'near the end of its range': nearHigh,
  level,
  streak,
  still,
  swing,
  turnover,
  opened,
};
