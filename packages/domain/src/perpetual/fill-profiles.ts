/**
 * How orders of a `perpetual` account fill, as data. `exact` is the profile of the other rule sets: every order fills at
 * the market's one price, with the fee of the account.
 */
import { asFeeRate, type FeeRate, parseDecimal } from '../money.ts';

export interface FillTerms {
  readonly title: string;
  /** Per cent of the market's spread, and of the distance between its levels. */
  readonly spread: number;
  readonly impact: number;
  /** Milliseconds from the arrival of an order or a close to its fill; what waits in the market has waited already. */
  readonly latencyMs: number;
  readonly makerFee: FeeRate;
  readonly takerFee: FeeRate;
}

const rate = (text: string): FeeRate => asFeeRate(parseDecimal(text));

/** `pro` sits beside the exchange and has the fees of a large one without any discount; `stress` is a market in trouble. */
export const fillTerms = {
  ideal: { title: 'Ideal', spread: 0, impact: 0, latencyMs: 0, makerFee: rate('0'), takerFee: rate('0') },
  retail: {
    title: 'Retail',
    spread: 150,
    impact: 150,
    latencyMs: 150,
    makerFee: rate('0.0004'),
    takerFee: rate('0.0006'),
  },
  pro: {
    title: 'Pro',
    spread: 100,
    impact: 100,
    latencyMs: 0,
    makerFee: rate('0.0002'),
    takerFee: rate('0.0005'),
  },
  stress: {
    title: 'Stress',
    spread: 400,
    impact: 300,
    latencyMs: 500,
    makerFee: rate('0.0002'),
    takerFee: rate('0.0005'),
  },
} as const satisfies Record<string, FillTerms>;

export type QuotedProfile = keyof typeof fillTerms;
export const quotedProfiles = Object.keys(fillTerms) as QuotedProfile[];
/** How orders fill. `exact`: at the price, without a spread. */
const fillProfiles = ['exact', 'ideal', 'retail', 'pro', 'stress'] as const;
export type FillProfile = (typeof fillProfiles)[number];
