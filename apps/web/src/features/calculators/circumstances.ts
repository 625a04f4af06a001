/** What a calculated position depends on beside the typed figures: the account's terms, and the pair that it is calculated for. */
import type { MarketType, PairLimits, PositionCircumstances, Price } from '@fulcrum/domain';
import type { AccountTerms } from '../../shared/account/index.ts';
import { getTick } from './display-steps.ts';

/** Null for an account of net positions while there is no pair, because their brackets are those of the pair's market (A113). */
export function toCircumstances(
  { rules, feeRate }: Pick<AccountTerms, 'rules' | 'feeRate'>,
  pair: { readonly type: MarketType; readonly limits: PairLimits } | null,
  price: Price | null,
): PositionCircumstances | null {
  const terms = { feeRate, tickSize: getTick(pair?.limits ?? null, price) };
  if (rules !== 'perpetual') return { rules, ...terms };
  return pair && { rules, market: pair.type, ...terms };
}
