/** The pair that a calculator can be filled from and its result be ordered in, and how both happen. */

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
import { announce } from '../../shared/ui/index.ts';
import {
  type Pair,
  useFollowedPrices,
  usePairs,
  usePriceStream,
  useSharedPair,
  useStandingReading,
} from '../market/index.ts';
import { orderFrom, type WorkedOut } from './order-from.ts';
import { type StandingStill, stillOf } from './standing-still.ts';

const noPairs: readonly Pair[] = [];
const cent = UNIT / 10n ** BigInt(MONEY_DECIMALS);

export interface ReadPrice {
  /** For a field. */
  readonly text: string;
  /** Null while it moves. */
  readonly still: StandingStill | null;
}

export interface CalculatorPair {
  /** The pair in view; null while the catalogue is not there. */
  readonly selected: Pair | null;
  /** The pair that the figures were filled from. */
  readonly filledFrom: Pair | null;
  /** Where the result would be ordered: what it was filled from, else the pair in view. */
  readonly ordered: Pair | null;
  /** The selected pair's last price as it stands now; null, and told, when there is none. */
  readonly readPrice: () => ReadPrice | null;
  /** The total balance as a text for a field, down to the cent; null while it is not known. */
  readonly balance: string | null;
  /** Fills the order form with what was worked out and goes there. */
  readonly order: (worked: WorkedOut) => void;
}

export function useCalculatorPair(filledSymbol: string | null): CalculatorPair {
  const pairs = usePairs().data ?? noPairs;
  const selected = useSharedPair(pairs).selected ?? null;
  const filledFrom = pairs.find(({ symbol }) => symbol === filledSymbol) ?? null;
  const ordered = filledFrom ?? selected;
  const { user } = useSignedIn();
  const stream = usePriceStream();
  const standing = useStandingReading();
  const wallet = useWallet();
  const navigate = useNavigate();
  useFollowedPrices(null);

  const readPrice = () => {
    if (selected === null) return null;
    const price = stream.latest(selected.symbol)?.price;
    if (price === undefined) {
      announce('error', texts.noCurrentPrice(selected.symbol), { id: 'calculator-price' });
      return null;
    }
    return {
      text: formatFixed(parseDecimal(price), priceDecimals(selected.limits)),
      still: stillOf(standing(selected)),
    };
  };

  const order = (worked: WorkedOut) => {
    if (ordered === null) return;
    const made = orderFrom(ordered, worked);
    if (made.kind === 'too small') {
      announce('error', made.reason, { id: 'calculator-order' });
      return;
    }
    handOverOrderDraft(user.id, made.draft);
    if (made.rounded !== null) announce('info', made.rounded, { id: 'calculator-order' });
    void navigate(`/trading?symbol=${encodeURIComponent(ordered.symbol)}`);
  };

  const known = wallet.data?.balance;
  return {
    selected,
    filledFrom,
    ordered,
    readPrice,
    balance:
      known === undefined
        ? null
        : formatFixed(divideRounded(parseDecimal(known), cent, 'floor') * cent, MONEY_DECIMALS),
    order,
  };
}
