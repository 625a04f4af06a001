/**
 * What traders set for their own reviews and warnings: a limit of the share at risk, rules that are off, and whether they want a weekly recap. Stored as a group of choices of the
 * user, so a value may be of any shape: what cannot be read is no rule of their own.
 */
import { asPercent, parseDecimal } from '../money.ts';
import { type CoachRuleId, coachRuleIds, type OwnRules } from './rules.ts';

/** As it is stored. */
export interface OwnRulesSetting {
  /** Per cent of the equity that one trade may risk; null for no limit. */
  readonly riskShareMax: number | null;
  readonly off: readonly CoachRuleId[];
  /** Whether a recap of each week is written into the journal. */
  readonly recap: boolean;
}

export const noOwnRules: OwnRules = { riskShareMax: null, off: [] };

/** Whether it is a limit: from 0.01 to 100 per cent, with two decimals at most. */
export const isRiskShareMax = (share: number): boolean =>
  share >= 0.01 && share <= 100 && Math.abs(share * 100 - Math.round(share * 100)) < 1e-9;

export function parseOwnRulesSetting(value: unknown): OwnRulesSetting {
  const {
    riskShareMax: share,
    off,
    recap,
  } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  return {
    riskShareMax: typeof share === 'number' && isRiskShareMax(share) ? share : null,
    off: Array.isArray(off) ? coachRuleIds.filter((id) => off.includes(id)) : [],
    recap: recap !== false,
  };
}

/** From the stored value; `noOwnRules` without one. */
export function toOwnRules(value: unknown): OwnRules {
  const { riskShareMax: share, off } = parseOwnRulesSetting(value);
  const limit = share === null ? null : asPercent(parseDecimal(share.toFixed(2)));
  return { riskShareMax: limit, off };
}
