/** The limits of a scenario's accounts, as the store has them and as the auditor does. */
import {
  type AccountLimits,
  asMoney,
  asPercent,
  beginChallenge,
  type ChallengeStep,
  type Money,
  type OwnLimits,
  parseDecimal,
  type TradingPair,
} from '@fulcrum/domain';
import type { AuditedLimits } from './ledger-book.ts';
import type { Draws, LockedLimits } from './scenario.ts';

const percent = (of: number) => asPercent(parseDecimal(String(of)));

function stepOf({ dailyLoss, maxLoss, ...of }: NonNullable<LockedLimits['step']>): ChallengeStep {
  return {
    targetPct: percent(of.targetPct),
    dailyLoss: dailyLoss && { ...dailyLoss, pct: percent(dailyLoss.pct) },
    maxLoss: {
      ...{ mode: maxLoss.mode, pct: percent(maxLoss.pct) },
      lockPct: maxLoss.lockPct === null ? null : percent(maxLoss.lockPct),
    },
    consistencyPct: of.consistencyPct === null ? null : percent(of.consistencyPct),
    ...{ daysMin: of.daysMin, daysMax: null },
  };
}

export function toLimits(
  { symbols, opensFrom, opensUntil, step, ...limits }: LockedLimits,
  pairs: readonly TradingPair[],
  initial: Money,
  at: number,
): { readonly stored: AccountLimits; readonly audited: AuditedLimits } {
  const since = (ms: number | null): number | null => (ms === null ? null : at + ms);
  const locked = {
    ...limits,
    symbols: symbols?.flatMap((place) => pairs[place]?.symbol ?? []) ?? null,
    ...{ opensFrom: since(opensFrom), opensUntil: since(opensUntil) },
  };
  if (!step) return { stored: locked, audited: locked };
  const [judged, ends] = [stepOf(step), since(step.ends)];
  const state = beginChallenge(judged, { initial, at, ends });
  return {
    stored: {
      ...locked,
      challenge: { programId: 'a challenge', step: judged, state, tradedOn: [], changedAt: at },
    },
    audited: { ...locked, step: judged, deadline: ends },
  };
}

/** Often tight, sometimes looser than before, sometimes none. */
export function ownLimitsOf([a = 0, b = 0, c = 0, d = 0]: Draws): OwnLimits {
  const money = (of: number) => asMoney(parseDecimal(String(of)));
  return {
    dailyLoss: a < 0.4 ? money([1, 20, 200, 1_000][Math.floor(a * 10)] ?? 5_000) : null,
    dailyLossPercent: b < 0.3 ? percent([0.5, 3, 20][Math.floor(b * 10)] ?? 50) : null,
    tradesMax: c < 0.5 ? 1 + Math.floor(c * 12) : null,
    coolDownMinutes: d < 0.4 ? 1 + Math.floor(d * 8) : null,
  };
}
