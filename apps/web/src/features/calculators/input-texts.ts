/** The fields of the three calculators as they are typed, and before anybody has typed. */
import { DEFAULT_LEVERAGE, DEFAULT_RISK_PERCENT, type Side, toNumber } from '@fulcrum/domain';
import type { StandingStill } from './standing-still.ts';

interface FilledFrom {
  /** The pair that prices and units were filled from; null while the figures are of no pair in particular. */
  readonly symbol: string | null;
  /** Why the price that was filled in is no current one; null when it is, or is somebody's own. */
  readonly still: StandingStill | null;
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
  /** Of the slider. */
  readonly riskPercent: number;
}
export interface PositionTexts extends FilledFrom {
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  /** Of the slider. */
  readonly leverage: number;
}

export interface Calculators {
  readonly pnl: PnlTexts;
  readonly risk: RiskTexts;
  readonly position: PositionTexts;
}
export const untouched: Calculators = {
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
