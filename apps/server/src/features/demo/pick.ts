/**
 * Finds the moment and the side of a scripted trade along this installation's own path: the script says what comes of a
 * trade (2 R won, stopped out), and the picker looks where that can be had. Pure: bars in, a plan out. Invariant: every
 * plan lies in open hours of its market and ends before `until`; the engine decides what really comes of it.
 */
import { dayMs, hourMs } from '@fulcrum/domain';
import type { PastBar } from './bars.ts';

/** A closed trade of the script. */
export interface TradeScript {
  /** Names it within the script, for journal entries. */
  readonly key: string;
  readonly symbol: string;
  /** Whole days before today, and the hour of that day (UTC) around which it opens. */
  readonly daysAgo: number;
  readonly hour: number;
  /** At most; less where the stop is further away than the liquidation would be. */
  readonly leverage: number;
  /** USDT between entry and stop. */
  readonly risk: number;
  /** The result as a multiple of the risk: -1 is the stop, above 0 a gain. */
  readonly r: number;
  /** Hours for which it is held at most. */
  readonly hold: number;
  /** Has no stop and ends at its liquidation: `risk` is the margin. */
  readonly liquidated: boolean;
}

export interface TradePlan {
  readonly script: TradeScript;
  /** The start of the hour in which it opens. */
  readonly at: number;
  readonly side: 'BUY' | 'SELL';
  /** Distances from the entry, as fractions of it; null sets no target. */
  readonly stop: number | null;
  readonly target: number | null;
  /** The start of the hour at whose end the trader closes what is still open. */
  readonly exitAt: number;
}

/** How far from its hour a trade may open. */
const windowMs = 10 * hourMs;
const stopMin = 0.003;
const stopMax = 0.045;
/** The stop keeps this distance from the worst price of a trade that is to survive. */
const stopReserve = 1.3;
/** Hours for which a trade is held at least. */
const hoursMin = 3;
/** A longer silence between two bars is a shut market. */
const overnightMs = 20 * hourMs;

interface Candidate {
  readonly plan: TradePlan;
  /** Smaller is better. */
  readonly distance: number;
}

/** Null where the market was shut all the while. */
export function pickTrade(
  script: TradeScript,
  bars: readonly PastBar[],
  { now, until }: { readonly now: number; readonly until: number },
): TradePlan | null {
  const expected = Math.floor(now / dayMs) * dayMs - script.daysAgo * dayMs + script.hour * hourMs;
  const candidates = bars.flatMap(({ at }, first) =>
    Math.abs(at - expected) > windowMs
      ? []
      : (['BUY', 'SELL'] as const).flatMap((side) => {
          const found = planFrom(script, bars, first, side, until);
          return found
            ? [{ plan: found.plan, distance: found.miss * 100 + Math.abs(at - expected) / hourMs }]
            : [];
        }),
  );
  return best(candidates)?.plan ?? null;
}

const best = (candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.toSorted((a, b) => a.distance - b.distance)[0];

/** The plan that opens with this bar; `miss` is how far its result lies from the script's, in R. */
function planFrom(
  script: TradeScript,
  bars: readonly PastBar[],
  first: number,
  side: 'BUY' | 'SELL',
  until: number,
): { readonly plan: TradePlan; readonly miss: number } | null {
  const entry = bars[first]?.open;
  if (entry === undefined) return null;
  const sign = side === 'BUY' ? 1 : -1;
  const { r } = script;
  const opened = { script, at: bars[first]?.at ?? 0, side };
  let adverse = 0;
  let bestOne: { readonly plan: TradePlan; readonly miss: number } | null = null;
  for (let next = first; next < Math.min(first + script.hold, bars.length); next += 1) {
    const bar = bars[next];
    const before = bars[next - 1];
    if (!bar || bar.at + hourMs > until) break;
    if (next > first && before && bar.at - before.at > overnightMs) break;
    adverse = Math.max(adverse, (sign * (entry - (side === 'BUY' ? bar.low : bar.high))) / entry);
    // The opening minute lies within the first hour: an exit in the same hour would miss much of the move.
    if (next < first + hoursMin - 1 && next < first + script.hold - 1) continue;
    const gain = (sign * (bar.close - entry)) / entry;
    const plan = script.liquidated ? liquidationOf(script.leverage, adverse) : exitOf({ r, adverse, gain });
    if (!plan) continue;
    const { stop, target, result } = plan;
    const miss = Math.abs(result - r);
    if (!bestOne || miss < bestOne.miss)
      bestOne = { plan: { ...opened, stop, target, exitAt: bar.at }, miss };
  }
  return bestOne;
}

/** A close behind the liquidation, which is 0.95 of the margin away. */
const liquidationOf = (leverage: number, adverse: number) =>
  adverse > 1.1 / leverage ? { stop: null, target: null, result: -1 } : null;

/** Stop and target with which a trade ends by now as the script expects it; null where it cannot. */
function exitOf({
  r,
  adverse,
  gain,
}: {
  readonly r: number;
  readonly adverse: number;
  readonly gain: number;
}) {
  const clamp = (stop: number): number => Math.min(stopMax, Math.max(stopMin, stop));
  if (r <= -1) {
    const stop = clamp(adverse * 0.8);
    return adverse > stop * 1.1 ? { stop, target: null, result: -1 } : null;
  }
  if (Math.sign(gain) !== Math.sign(r)) return null;
  const stop = clamp(Math.max(gain / r, adverse * stopReserve));
  if (adverse * 1.1 > stop) return null;
  const result = gain / stop;
  // Half of the winners leave at their target, which lies just before the best close.
  return { stop, target: r >= 1.5 ? gain * 0.98 : null, result };
}

/** A position of the script that is still open. */
export interface OpenScript {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly leverage: number;
  /** USDT. */
  readonly margin: number;
  /** Hours before now within which it opened. */
  readonly hours: number;
  /** Fractions of the entry; null sets none. */
  readonly stop: number | null;
  readonly target: number | null;
  /** The move of the price since, as a fraction in favour of the position, that it comes closest to. */
  readonly move: number;
}

export interface OpenPlan {
  readonly script: OpenScript;
  /** The start of the hour in which it opens. */
  readonly at: number;
}

/**
 * Opens in an hour since which the price reached neither stop nor target. Where there is none, the last full hour, with stop
 * and target so far away that it reached neither. Null without a bar.
 */
export function pickOpen(script: OpenScript, bars: readonly PastBar[], now: number): OpenPlan | null {
  const sign = script.side === 'BUY' ? 1 : -1;
  const last = bars.at(-1)?.close;
  if (last === undefined) return null;
  const widest = script.stop ?? 0.8 / script.leverage;
  let found: { readonly plan: OpenPlan; readonly distance: number } | null = null;
  let fallback: OpenPlan | null = null;
  let [high, low] = [last, last];
  for (let next = bars.length - 1; next >= 0; next -= 1) {
    const bar = bars[next];
    if (!bar || now - bar.at > script.hours * hourMs) break;
    [high, low] = [Math.max(high, bar.high), Math.min(low, bar.low)];
    // The hour that runs has not ended: nothing opens in it.
    if (now - bar.at < hourMs) continue;
    const [against, inFavour] =
      sign > 0
        ? [(bar.open - low) / bar.open, (high - bar.open) / bar.open]
        : [(high - bar.open) / bar.open, (bar.open - low) / bar.open];
    const { stop, target } = script;
    fallback ??= {
      script: {
        ...script,
        stop: stop && Math.max(stop, Math.min(against * 1.4, 0.85 / script.leverage)),
        target: target && Math.max(target, inFavour * 1.4),
      },
      at: bar.at,
    };
    if (against > widest * 0.8 || inFavour > (target ?? 1) * 0.8) continue;
    const distance = Math.abs((sign * (last - bar.open)) / bar.open - script.move);
    if (!found || distance < found.distance) found = { plan: { script, at: bar.at }, distance };
  }
  return found?.plan ?? fallback;
}
