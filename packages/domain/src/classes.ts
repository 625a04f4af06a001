/** Classes of traders (A112): their bounds, and what a tutor looks at. */
import { dayMs } from './time.ts';

/** Members who trade in one class. */
export const classMembersMax = 2000;
/** Characters of a message to a class. */
export const classMessageMax = { subject: 100, text: 1000 } as const;
export const classTutorsMax = 20;
export const classSymbolsMax = 100;

/** What a tutor should look at, the most urgent first. */
export const attentionKinds = ['never signed in', 'large loss', 'large risk', 'idle'] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** A loss of this per cent of the start balance is large, and so is an open risk of this per cent of the equity. */
export const largeLossPct = 20;
export const largeRiskPct = 25;
/** Days without a trade, from the day of joining on. */
export const idleDays = 7;

export interface ClassMember {
  /** Times in milliseconds since the epoch; null is never. */
  readonly lastLogin: number | null;
  readonly joinedAt: number;
  readonly lastTradeAt: number | null;
  readonly returnPct: number;
  /** USDT, both. */
  readonly equity: number;
  readonly openRisk: number;
}

/** Why a member needs attention; null for one who does not. */
export function attentionOf(member: ClassMember, now: number): AttentionKind | null {
  if (member.lastLogin === null) return 'never signed in';
  if (member.returnPct <= -largeLossPct) return 'large loss';
  if (member.openRisk > 0 && member.openRisk * 100 >= member.equity * largeRiskPct) return 'large risk';
  return now - (member.lastTradeAt ?? member.joinedAt) >= idleDays * dayMs ? 'idle' : null;
}

/** In the group `mails` of the user's settings: whether messages to their classes are mailed, too. */
export const classMailsSetting = 'classMessages';
/** `stored`: the group. */
export const parseClassMails = (stored: unknown): boolean =>
  typeof stored === 'object' &&
  stored !== null &&
  classMailsSetting in stored &&
  stored[classMailsSetting] === true;
