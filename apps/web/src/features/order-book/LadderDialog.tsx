/** Limit orders that close a position in parts, and end with it (A113). */
import {
  asSize,
  oppositeOf,
  type PairLimits,
  parseDecimal,
  toDecimalString,
  toNumber,
} from '@fulcrum/domain';
import { useState } from 'react';
import { sideLabel } from '../../shared/account/index.ts';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { formatUnreadablePrice, parsePrice } from '../../shared/decimals/price.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { formatSize } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { type Position, unwrap } from '../../shared/supabase/index.ts';
import { showToast, TextField } from '../../shared/ui/index.ts';
import { ladderOf, mostSteps } from './ladder.ts';

interface LadderDialogProps {
  readonly position: Position;
  readonly limits: PairLimits;
  readonly onClose: () => void;
}

const counts = Array.from({ length: mostSteps }, (_, i) => i + 1);

const priceFault = (text: string): string | null => {
  const typed = parsePrice(text);
  if (typed.kind === 'unreadable') return formatUnreadablePrice('The price', typed);
  return typed.kind === 'price' && typed.price > 0n ? null : 'Enter a price.';
};
const toPrice = (text: string) => {
  const typed = parsePrice(text);
  return typed.kind === 'price' ? typed.price : null;
};

export default function LadderDialog({ position, limits, onClose }: LadderDialogProps) {
  const { supabase } = useSignedIn();
  const [count, setCount] = useState(1);
  const clientIdOf = useRepeatableClientId();
  const whole = asSize(parseDecimal(position.size));
  const isLadder = count > 1;
  const submission = useSubmission({
    names: ['amount', 'from', 'to'],
    check: ({ amount, from, to }) => {
      const size = parseAmount(amount);
      const isSize = size.kind === 'amount' && size.size > 0n && size.size <= whole;
      return {
        amount: isSize
          ? null
          : `Type an amount up to ${formatSize(position.size, toNumber(limits.stepSize))}.`,
        from: priceFault(from),
        to: isLadder ? priceFault(to) : null,
      };
    },
    send: async ({ amount, from, to }) => {
      const size = parseAmount(amount);
      const [first, last] = [toPrice(from), toPrice(isLadder ? to : from)];
      if (size.kind !== 'amount' || first === null || last === null) return 'Enter a price.';
      const ladder = ladderOf(size.size, { from: first, to: last }, count, limits);
      if (ladder === null) return { text: 'This is too little for so many steps.', at: 'amount' };
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
        showToast('success', count === 1 ? 'The limit order waits' : `${count} limit orders wait`);
        onClose();
      };
    },
    failed: failedWith('Failed to place order'),
  });
  const side = sideLabel(position.side).toLowerCase();
  return (
    <FormDialog
      title={`Close ${position.symbol} ${side} at limit prices`}
      description="Each order closes its part once the price reaches it. They reserve nothing, and end with the position."
      submission={submission}
      submit={count === 1 ? 'Place limit order' : `Place ${count} limit orders`}
      onClose={onClose}
    >
      <TextField
        name="amount"
        label="Amount to close"
        defaultValue={toDecimalString(whole)}
        inputMode="decimal"
        autoComplete="off"
        error={submission.errorOf('amount')}
      />
      <SelectField label="Steps" value={count} onChange={(value) => setCount(Number(value))}>
        {counts.map((one) => (
          <option key={one} value={one}>
            {one === 1 ? '1 price' : `${one} prices, equal parts`}
          </option>
        ))}
      </SelectField>
      <TextField
        name="from"
        label={isLadder ? 'First price' : 'Limit price'}
        inputMode="decimal"
        autoComplete="off"
        error={submission.errorOf('from')}
      />
      {isLadder ? (
        <TextField
          name="to"
          label="Last price"
          inputMode="decimal"
          autoComplete="off"
          error={submission.errorOf('to')}
        />
      ) : null}
    </FormDialog>
  );
}
