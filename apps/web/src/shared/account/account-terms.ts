/** The terms on which the account of this page trades: its own, or for the main account the server's. */
import { asFeeRate, type FeeRate, MAX_LEVERAGE, parseDecimal, type RuleSetName } from '@fulcrum/domain';
import type { SignedIn } from '../session/index.ts';

export interface AccountTerms {
  readonly rules: RuleSetName;
  /** A fraction of an order's value, in 1e-8. */
  readonly feeRate: FeeRate;
  readonly leverageMax: number;
}

export function getAccountTerms({
  account,
  supabase: { config },
}: Pick<SignedIn, 'account' | 'supabase'>): AccountTerms {
  return {
    rules: account?.rules ?? config.rules,
    feeRate: asFeeRate(parseDecimal(account?.feeRate ?? config.feeRate)),
    leverageMax: account?.leverageMax ?? MAX_LEVERAGE,
  };
}
