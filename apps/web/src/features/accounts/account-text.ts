/** How an account is named and described on the screen. */
import { fillTerms, parseDecimal, quotedProfiles, toDecimalString } from '@fulcrum/domain';
import { accountKindNames } from '../../shared/account/account-kinds.ts';
import type { TradingAccount } from '../../shared/supabase/index.ts';

/** There is one main account, so its own name is not shown. */
export const getAccountName = ({ kind, name }: Pick<TradingAccount, 'kind' | 'name'>): string =>
  kind === 'main' ? 'Main account' : name;

/** A fraction of an order's value as a percentage: `0.1%`. */
export const formatFeeRate = (feeRate: number): string => `${toDecimalString(parseDecimal(feeRate) * 100n)}%`;

/** The bound of a fee in per cent, as the field has it; null for another refusal. The server states it as a fraction. */
export function toFeeObjection(refusal: string): string | null {
  const [, max] = /^The fee is a fraction from 0 to ([\d.]+)\.$/.exec(refusal) ?? [];
  return max === undefined ? null : `Type a percentage from 0 to ${formatFeeRate(Number(max))}.`;
}

/** `Practice · up to 5× · 0.1% fee`; the terms of a main account are those of every one here. */
export function describeAccount({
  kind,
  leverageMax,
  feeRate,
  fillProfile,
}: Pick<TradingAccount, 'kind' | 'leverageMax' | 'feeRate' | 'fillProfile'>): string {
  const profile = quotedProfiles.find((name) => name === fillProfile);
  const terms = [
    profile ? `net positions, ${fillTerms[profile].title.toLowerCase()} fills` : null,
    leverageMax === null ? null : `up to ${leverageMax}×`,
    feeRate === null ? null : feeRate === 0 ? 'no fee' : `${formatFeeRate(feeRate)} fee`,
  ];
  return [accountKindNames[kind], ...terms.filter((term) => term !== null)].join(' · ');
}
