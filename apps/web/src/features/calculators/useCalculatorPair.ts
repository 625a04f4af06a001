/** The pair that a calculator is filled from and its result ordered in, with both actions. */

import { texts } from '@fulcrum/contract/texts';
import {
  divideRounded,
  formatFixed,
  MONEY_DECIMALS,
  parseDecimal,
  priceDecimals,
  UNIT,
} from '@fulcrum/domain';
import { useNavigate } from 'react-router';
import { useWallet } from '../../shared/account/index.ts';
import { handOverOrderDraft } from '../../shared/order-draft/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { showToast } from '../../shared/ui/index.ts';
import {
  type Pair,
  useFollowedPrices,
  usePairs,
  usePriceStream,
  useReadPriceStatus,
  useSharedPair,
} from '../market/index.ts';
import type { FilledPrice } from './fill.ts';
import { getNonLivePrice } from './non-live-price.ts';
import { type CalculatedPosition, toOrderDraft } from './order-draft.ts';

const noPairs: readonly Pair[] = [];
const cent = UNIT / 10n ** BigInt(MONEY_DECIMALS);

export interface CalculatorPair {
  /** The selected pair; null before the catalogue is loaded. */
  readonly selected: Pair | null;
  /** The pair that the figures were filled from. */
  readonly filledFrom: Pair | null;
  /** The pair of the order: the one the figures were filled from, else the selected one. */
  readonly orderPair: Pair | null;
  /** The selected pair's last price; null, with a notice, when there is none. */
  readonly readPrice: () => FilledPrice | null;
  /** The total balance as a text for a field, rounded down to the cent; null while it is not known. */
  readonly balance: string | null;
  /** Fills the order form with the result and navigates there. */
  readonly order: (calculated: CalculatedPosition) => void;
}

export function useCalculatorPair(filledSymbol: string | null): CalculatorPair {
  const pairs = usePairs().data ?? noPairs;
  const selected = useSharedPair(pairs).selected ?? null;
  const filledFrom = pairs.find(({ symbol }) => symbol === filledSymbol) ?? null;
  const orderPair = filledFrom ?? selected;
  const { accountId } = useSignedIn();
  const stream = usePriceStream();
  const readPriceStatus = useReadPriceStatus();
  const wallet = useWallet();
  const navigate = useNavigate();
  useFollowedPrices(null);

  const readPrice = () => {
    if (selected === null) return null;
    const price = stream.latest(selected.symbol)?.price;
    if (price === undefined) {
      showToast('error', texts.noCurrentPrice(selected.symbol), { id: 'calculator-price' });
      return null;
    }
    return {
      text: formatFixed(parseDecimal(price), priceDecimals(selected.limits)),
      still: getNonLivePrice(readPriceStatus(selected)),
    };
  };

  const order = (calculated: CalculatedPosition) => {
    if (orderPair === null) return;
    const draftResult = toOrderDraft(orderPair, calculated);
    if (draftResult.kind === 'too small') {
      showToast('error', draftResult.reason, { id: 'calculator-order' });
      return;
    }
    handOverOrderDraft(accountId, draftResult.draft);
    if (draftResult.rounded !== null) showToast('info', draftResult.rounded, { id: 'calculator-order' });
    void navigate(`/trading?symbol=${encodeURIComponent(orderPair.symbol)}`);
  };

  const known = wallet.data?.balance;
  return {
    selected,
    filledFrom,
    orderPair,
    readPrice,
    balance:
      known === undefined
        ? null
        : formatFixed(divideRounded(parseDecimal(known), cent, 'floor') * cent, MONEY_DECIMALS),
    order,
  };
}
