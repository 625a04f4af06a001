/** The fields of the three calculators as typed, with their initial values. */
import { DEFAULT_LEVERAGE, DEFAULT_RISK_PERCENT, type Side, toNumber } from '@fulcrum/domain';
import type { NonLivePrice } from './non-live-price.ts';

interface FilledFrom {
  /** The pair that prices and units were filled from; null while the figures belong to no pair. */
  readonly symbol: string | null;
  /** Why the filled price is not live; null when it is live or was typed. */
  readonly still: NonLivePrice | null;
}
export interface PnlTexts extends FilledFrom {
  readonly side: Side;
  readonly entryPrice: string;
  readonly exitPrice: string;
  readonly size: string;
  readonly leverage: string;
}
export interface RiskTexts extends FilledFrom {
  readonly account: string;
  readonly entryPrice: string;
  readonly stopPrice: string;
  readonly leverage: string;
  /** The slider's value. */
  readonly riskPercent: number;
}
export interface PositionTexts extends FilledFrom {
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  /** The slider's value. */
  readonly leverage: number;
}

export interface Calculators {
  readonly pnl: PnlTexts;
  readonly risk: RiskTexts;
  readonly position: PositionTexts;
}
export const initialCalculators: Calculators = {
  pnl: {
    symbol: null,
    still: null,
    side: 'BUY',
    entryPrice: '',
    exitPrice: '',
    size: '',
    leverage: `${DEFAULT_LEVERAGE}`,
  },
  risk: {
    symbol: null,
    still: null,
    account: '',
    entryPrice: '',
    stopPrice: '',
    leverage: `${DEFAULT_LEVERAGE}`,
    riskPercent: toNumber(DEFAULT_RISK_PERCENT),
  },
  position: { symbol: null, still: null, side: 'BUY', price: '', size: '', leverage: DEFAULT_LEVERAGE },
};
