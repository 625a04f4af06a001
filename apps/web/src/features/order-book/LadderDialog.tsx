/** Limit orders that close a position in parts, and end with it (A113). */
import {
  asSize,
  oppositeOf,
  type PairLimits,
  type Price,
  parseDecimal,
  type Side,
  type Size,
  toDecimalString,
  toNumber,
} from '@fulcrum/domain';
import { useState } from 'react';
import { sideLabel, useOpenOrders } from '../../shared/account/index.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { formatPrice, formatSize } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { type Position, unwrap } from '../../shared/supabase/index.ts';
import { showToast, TextField } from '../../shared/ui/index.ts';
import { usePriceStream, useSampled } from '../market/index.ts';
import { ladderOf, mostSteps, placedText } from './ladder.ts';
import { amountFault, priceFault, sizeFault, toPrice, toSize } from './typed-figures.ts';

interface LadderDialogProps {
  readonly position: Position;
  readonly limits: PairLimits;
  readonly onClose: () => void;
}

const counts = Array.from({ length: mostSteps }, (_, i) => ({
  value: `${i + 1}`,
  label: i === 0 ? '1 price' : `${i + 1} prices, equal parts`,
}));

/** A limit that the market has reached already closes at its price, without the question of a close. */
function reachedFault(side: Side, limit: Price | null, market: number | null): string | null {
  if (limit === null || market === null) return null;
  const isLong = side === 'BUY';
  const isReached = isLong ? toNumber(limit) < market : toNumber(limit) > market;
  return isReached ? `A price ${isLong ? 'below' : 'above'} the market closes at once: use Close.` : null;
}

/** How much of the position its waiting orders are to close. */
function useWaitingSize(positionId: string): Size {
  const { data: orders } = useOpenOrders();
  const sizes = orders?.filter(({ boundPositionId }) => boundPositionId === positionId);
  return asSize(
    (sizes ?? []).reduce(
      (sum, { size, filledSize }) => sum + parseDecimal(size) - parseDecimal(filledSize),
      0n,
    ),
  );
}

export default function LadderDialog({ position, limits, onClose }: LadderDialogProps) {
  const { supabase } = useSignedIn();
  const [count, setCount] = useState(1);
  const clientIdOf = useRepeatableClientId();
  const whole = asSize(parseDecimal(position.size));
  const isLadder = count > 1;
  const stream = usePriceStream();
  const market = useSampled(position.symbol, () => stream.latest(position.symbol)?.price ?? null);
  const waiting = useWaitingSize(position.id);
  const formatted = (size: Size) => formatSize(toNumber(size), toNumber(limits.stepSize));
  const limitFault = (text: string): string | null =>
    priceFault(text, 'limit', { limits, market }) ?? reachedFault(position.side, toPrice(text), market);
  const submission = useSubmission({
    names: ['amount', 'from', 'to'],
    check: ({ amount, from, to }) => {
      const isTooMuch = (toSize(amount) ?? 0n) > whole;
      return {
        amount: isTooMuch ? `Type an amount up to ${formatted(whole)}.` : amountFault(amount),
        from: limitFault(from),
        to: isLadder ? limitFault(to) : null,
      };
    },
    send: async ({ amount, from, to }) => {
      const [size, first, last] = [toSize(amount), toPrice(from), toPrice(isLadder ? to : from)];
      if (size === null || first === null || last === null) return 'Enter a price.';
      const ladder = ladderOf(size, { from: first, to: last }, count, limits);
      if (ladder === null) return { text: 'This is too little for so many steps.', at: 'amount' };
      const fault = ladder.map((step) => sizeFault(step.size, limits)).find((text) => text !== null);
      if (fault) return { text: isLadder ? `Of each order: ${fault}` : fault, at: 'amount' };
      const key = clientIdOf(JSON.stringify([position.id, amount, from, to, count]));
      const rows = ladder.map((step, i) => ({
        ...{ symbol: position.symbol, type: 'LIMIT' as const, side: oppositeOf(position.side) },
        ...{ size: toNumber(step.size), price: toNumber(step.price), leverage: position.leverage },
        ...{ reduce_only: true, bound_position_id: position.id, client_id: `${key}.${i}` },
      }));
      const placed = await unwrap(supabase.rest.from('orders').insert(rows).select('*'));
      const refused = placed.find(({ status }) => status === 'REJECTED');
      if (refused) return refused.reason ?? 'Failed to place order';
      return () => {
        showToast('success', placedText(placed.map(({ status }) => status)));
        onClose();
      };
    },
    failed: failedWith('Failed to place order'),
  });
  const side = sideLabel(position.side).toLowerCase();
  return (
    <FormDialog
      title={`Close ${position.symbol} ${side} at limit prices`}
      description={`Each order closes its part once the price reaches it. They reserve nothing, and end with the position.${market === null ? '' : ` The market is at ${formatPrice(market, toNumber(limits.tickSize))}.`}`}
      submission={submission}
      submit={count === 1 ? 'Place limit order' : `Place ${count} limit orders`}
      onClose={onClose}
    >
      <TextField
        {...submission.fieldOf('amount')}
        label="Amount to close"
        defaultValue={toDecimalString(waiting < whole ? whole - waiting : whole)}
        hint={waiting > 0n ? `${formatted(waiting)} already waits to be closed.` : undefined}
        inputMode="decimal"
      />
      <SelectField
        label="Steps"
        value={`${count}`}
        options={counts}
        onChange={(value) => setCount(Number(value))}
      />
      <TextField
        {...submission.fieldOf('from')}
        label={isLadder ? 'First price' : 'Limit price'}
        inputMode="decimal"
      />
      {isLadder ? <TextField {...submission.fieldOf('to')} label="Last price" inputMode="decimal" /> : null}
    </FormDialog>
  );
}
