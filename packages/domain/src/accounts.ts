/**
 * Trading accounts of a user (A112): kinds, bounds, names. Invariant: every user has one main account, whose id is the
 * user's; the others are apart from it in money, positions, orders and history.
 */
import { asMoney, type FeeRate, type Money, parseDecimal } from './money.ts';
import type { FillProfile } from './perpetual/fill-profiles.ts';
import type { ChallengeState, ChallengeStep } from './programs/challenge.ts';
import type { RuleSetName } from './rules.ts';
import { hasInvisible, type Objection } from './validation.ts';

/** What an account is for. Those besides `main` and `practice` are opened by what they belong to. */
export const accountKinds = ['main', 'practice', 'class', 'contest', 'challenge'] as const;
export type AccountKind = (typeof accountKinds)[number];
/** An archived account can be read and never trades again. */
export const accountStatuses = ['active', 'archived'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** The step of a challenge that an account is. */
export interface AccountChallenge {
  readonly programId: string;
  readonly step: ChallengeStep;
  /** As it was last stored. */
  readonly state: ChallengeState;
  /** The days with an opening, as midnights UTC, milliseconds since the epoch. */
  readonly tradedOn: readonly number[];
  /** The last change of the account; milliseconds since the epoch. */
  readonly changedAt: number;
}

export type LimitSetter = 'class' | 'contest' | 'challenge';

/** What else an account may open, of a class or a program; null is unbounded. */
export interface AccountLimits {
  /** Whose limits they are. A contest also ends what is open, and from then on nothing else is done in the account. */
  readonly setBy: LimitSetter;
  readonly symbols: readonly string[] | null;
  /** Open positions at most. */
  readonly positionsMax: number | null;
  /** When it may open anything: from (inclusive) and until (exclusive), milliseconds since the epoch. */
  readonly opensFrom: number | null;
  readonly opensUntil: number | null;
  /** Of a challenge alone. */
  readonly challenge?: AccountChallenge | null;
}

/** The rules that an account's new positions and orders are under. */
export interface AccountTerms {
  readonly rules: RuleSetName;
  readonly feeRate: FeeRate;
  /** The greatest leverage that opens anything. */
  readonly leverageMax: number;
  readonly fillProfile: FillProfile;
  /** Absent: none besides those of every account. */
  readonly limits?: AccountLimits | null;
}

/** Active practice accounts of a user. */
export const practiceAccountsMax = 10;
export const accountNameMax = 40;
/** USDT. */
export const practiceBalance: { readonly min: Money; readonly max: Money; readonly default: Money } = {
  min: asMoney(parseDecimal('1')),
  max: asMoney(parseDecimal('10000000')),
  default: asMoney(parseDecimal('10000')),
};

/** Start balance of a trader whom an admin adds, whatever SIGNUP_BALANCE is, USDT (A13). */
export const addedTraderBalance = practiceBalance.default;

/** The name as it is stored: one encoding for each letter. */
export const normaliseAccountName = (name: string): string => name.trim().normalize('NFC');

/** Null, or the text to show. */
export function checkAccountName(name: string): Objection {
  const normal = normaliseAccountName(name);
  if (normal === '') return 'Give the account a name.';
  if ([...normal].length > accountNameMax) return `A name has at most ${accountNameMax} characters.`;
  return hasInvisible(normal) ? 'The name must not contain invisible characters.' : null;
}
