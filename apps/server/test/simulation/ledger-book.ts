/**
 * The auditor's accounts: plain lists, walked whole for every question. Only the balance is stored; the available
 * amount is the balance less all margins and reserves, added up each time (A08). Amounts, prices and sizes are whole
 * numbers of 1e-8.
 */
import type { OrderStatus } from '@fulcrum/domain';
import type { AuditedStep, StepVerdict } from './audited-step.ts';
import type { AuditedRules, AuditedSide } from './formulas.ts';

export interface AuditedClosing {
  readonly price: bigint;
  readonly source: 'live' | 'mark' | 'entry';
  readonly reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end';
  pnl: bigint;
  readonly at: number;
}

export interface AuditedPosition {
  /** Null until the store has named it. */
  id: string | null;
  readonly symbol: string;
  side: AuditedSide;
  entry: bigint;
  size: bigint;
  leverage: number;
  /** What a net position was paid for; null of any other one. */
  value: bigint | null;
  margin: bigint;
  liquidation: bigint;
  takeProfit: bigint | null;
  stopLoss: bigint | null;
  initialStopLoss: bigint | null;
  readonly rules: AuditedRules;
  readonly feeRate: bigint;
  fees: bigint;
  /** Received less paid for holding it, and until when. */
  funding: bigint;
  fundedAt: number | null;
  readonly splitFrom: AuditedPosition | null;
  isWarned: boolean;
  /** Requested to close when its market reopens. */
  isLeaving: boolean;
  createdAt: number;
  editedAt: number | null;
  closing: AuditedClosing | null;
  /** What it was before staff corrected it in the present batch. */
  uncorrected?: AuditedClosing | undefined;
  version: number;
  accountVersion: number;
}

export interface AuditedOrder {
  id: string | null;
  readonly symbol: string;
  readonly type: string;
  readonly side: AuditedSide;
  price: bigint | null;
  size: bigint;
  leverage: number;
  readonly takeProfit: bigint | null;
  readonly stopLoss: bigint | null;
  readonly clientId: string | null;
  readonly timeInForce: string;
  readonly reduceOnly: boolean;
  /** Of a condition: its price, its distance in per cent, and the best price since. */
  trigger: bigint | null;
  readonly trail: bigint | null;
  peak: bigint | null;
  /** Whether it closes the whole position. */
  readonly closes: boolean;
  triggeredAt: number | null;
  readonly endsAt: number | null;
  /** It ends with this position. */
  readonly boundTo: AuditedPosition | null;
  readonly isNet: boolean;
  /** During its latency: when it is filled, the middle of the market when it arrived, and the quote that it names. */
  dueAt: number | null;
  arrival: bigint | null;
  quoteId: string | null;
  filled: bigint;
  filledValue: bigint;
  reserved: bigint;
  status: OrderStatus;
  /** Codes, one of which has to be the reason. */
  rejections: readonly string[];
  position: AuditedPosition | null;
  readonly createdAt: number;
  version: number;
  accountVersion: number;
}

/** An order without any condition. */
export const noCondition = {
  ...{ trigger: null, trail: null, peak: null, closes: false, triggeredAt: null, endsAt: null },
  ...{ boundTo: null, isNet: false, dueAt: null, arrival: null, quoteId: null },
} as const;

/** What was traded in one go, at one price. */
export interface AuditedFill {
  readonly side: AuditedSide;
  readonly size: bigint;
  readonly price: bigint;
  readonly value: bigint;
  readonly mid: bigint;
  readonly quoteId: string | null;
  readonly liquidity: 'maker' | 'taker';
  readonly fee: bigint;
  /** Null where it opened. */
  readonly pnl: bigint | null;
  readonly of: AuditedPosition;
  readonly flippedFrom: AuditedPosition | null;
  readonly by: AuditedOrder | null;
  readonly at: number;
  /** What the market moved by between arrival and fill, to the cost of the trader; absent without latency. */
  readonly latency?: bigint;
  /** Where the market's price was from; set once the command is decided. */
  source?: string | null;
}

/** What others have locked. */
export interface AuditedLimits {
  readonly setBy: 'class' | 'contest' | 'challenge';
  readonly symbols: readonly string[] | null;
  readonly positionsMax: number | null;
  readonly opensFrom: number | null;
  readonly opensUntil: number | null;
  /** Of a challenge: its step, and when it fails undecided. */
  readonly step?: AuditedStep | null;
  readonly deadline?: number | null;
}

/** Money and per cent in 1e-8; null is no limit. */
export interface AuditedOwnLimits {
  readonly dailyLoss: bigint | null;
  readonly dailyLossPercent: bigint | null;
  readonly tradesMax: number | null;
  readonly coolDownMinutes: number | null;
}
export interface AuditedOwn {
  limits: AuditedOwnLimits;
  waiting: { readonly limits: AuditedOwnLimits; readonly from: number } | null;
}

/** What the account alone decides: its positions and orders are under these. */
export interface AuditedTerms {
  readonly rules: AuditedRules;
  readonly feeRate: bigint;
  readonly leverageMax: number;
  /** Of an account with net positions. */
  readonly fillProfile?: string;
  /** Of its class, contest or challenge. */
  readonly limits?: AuditedLimits | null;
}

export interface AuditedAccount {
  readonly accountId: string;
  /** The user; of a main account it is the account's own id. */
  readonly ownerId: string;
  readonly terms: AuditedTerms;
  balance: bigint;
  isRestricted: boolean;
  isDeleted: boolean;
  isArchived: boolean;
  version: number;
  readonly positions: AuditedPosition[];
  readonly orders: AuditedOrder[];
  /** Kinds of the trader's notifications, in order. */
  readonly notices: string[];
  readonly fills: AuditedFill[];
  /** Of an account with net positions: the leverage of each symbol, and its trades, which bear on its next ones. */
  readonly leverages: Map<string, number>;
  readonly trades: {
    readonly symbol: string;
    readonly side: AuditedSide;
    readonly size: bigint;
    readonly isMaker: boolean;
    readonly at: number;
  }[];
  /** The limits of its owner, once some were set. */
  own: AuditedOwn | null;
  /** What it was worth at times, in order, and what was paid in, or out with a minus sign. */
  readonly snapshots: { readonly at: number; readonly equity: bigint }[];
  readonly payments: { readonly at: number; readonly amount: bigint }[];
  /** Of its challenge, which it ended with. */
  verdict: StepVerdict | null;
  /** Amounts of the lines of the history by their type. */
  readonly lines: { readonly type: string; amount: bigint; readonly of: AuditedPosition | null }[];
}

export interface OpenedAccount extends Pick<AuditedAccount, 'accountId' | 'ownerId' | 'terms'> {
  /** Which the opening of the account books (A13). */
  readonly deposit: bigint;
}

/** As it is after its first deposit, if there was one. */
export const accountOf = ({ accountId, ownerId, terms, deposit }: OpenedAccount): AuditedAccount => ({
  ...{ accountId, ownerId, terms, balance: deposit },
  ...{
    isRestricted: false,
    isDeleted: false,
    isArchived: false,
    positions: [],
    orders: [],
    notices: [],
    fills: [],
    leverages: new Map(),
    trades: [],
    own: null,
    snapshots: [],
    payments: [],
    verdict: null,
  },
  version: deposit === 0n ? 0 : 1,
  lines: deposit === 0n ? [] : [{ type: 'deposit', amount: deposit, of: null }],
});

/** The gains and losses of the accounts outside the users'. */
export interface House {
  pnl: bigint;
  insurance: bigint;
  fees: bigint;
  funding: bigint;
  external: bigint;
}

export function marginIn(account: AuditedAccount): bigint {
  let margin = 0n;
  for (const position of account.positions) if (position.closing === null) margin += position.margin;
  return margin;
}

export function reservedIn(account: AuditedAccount): bigint {
  let reserved = 0n;
  // Nothing else has a reserve.
  for (const order of account.orders) reserved += order.reserved;
  return reserved;
}

export const availableIn = (account: AuditedAccount): bigint =>
  account.balance - marginIn(account) - reservedIn(account);

/** The effects of a mark price on a position, the gravest first; null without one (A05, A21, A98, A104). */
export type Consequence =
  | 'liquidation'
  | 'stop_loss'
  | 'take_profit'
  | 'close_at_reopen'
  | 'margin_warning'
  | 'margin_recovered';

/** Empty: the command has to be accepted. Otherwise the refusal has to have one of these codes. */
export type Verdict = readonly string[];
