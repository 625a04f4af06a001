/** The form of an order that waits for a price before it becomes one (A113): stops, take profits, trailing stops. */
import { texts } from '@fulcrum/contract/texts';
import { type OrderType, oppositeOf, type Side, toNumber } from '@fulcrum/domain';
import { useState } from 'react';
import { sideLabel } from '../../shared/account/index.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { type Option, SelectField } from '../../shared/form/SelectField.tsx';
import { formatPrice } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { type Position, unwrap } from '../../shared/supabase/index.ts';
import { Checkbox, Segmented, showToast, TextField } from '../../shared/ui/index.ts';
import { type Pair, useFreshness } from '../market/index.ts';
import { endOf, ends, toTrailRate } from './conditional-order.ts';
import { amountFault, priceFault, sizeFault, toPrice, toSize } from './typed-figures.ts';

const kinds = [
  {
    value: 'STOP_MARKET',
    label: 'Stop at the market',
    hint: 'Sells once the price has fallen to it, buys once it has risen to it.',
  },
  {
    value: 'STOP',
    label: 'Stop with a limit',
    hint: 'As a stop, but never worse than the limit: it may then wait.',
  },
  {
    value: 'TAKE_PROFIT_MARKET',
    label: 'Take profit at the market',
    hint: 'Sells once the price has risen to it, buys once it has fallen.',
  },
  {
    value: 'TAKE_PROFIT',
    label: 'Take profit with a limit',
    hint: 'As a take profit, but never worse than the limit: it may then wait.',
  },
  {
    value: 'TRAILING_STOP_MARKET',
    label: 'Trailing stop',
    hint: 'Follows the best price from then on, and fires when the market has come back from it by the distance.',
  },
] as const satisfies readonly (Option<OrderType> & { hint: string })[];
type Kind = (typeof kinds)[number]['value'];
const sideOptions = [
  { value: 'BUY', label: 'Buy' },
  { value: 'SELL', label: 'Sell' },
] as const satisfies readonly { value: Side; label: string }[];

/** As the wire has it. */
const toFigure = (value: bigint | null) => (value === null ? null : toNumber(value));

interface ConditionalOrderProps {
  readonly pair: Pair;
  readonly leverage: number;
  readonly position: Position | undefined;
  /** The price of the last quote. */
  readonly price: number | null;
  readonly onClose: () => void;
}

export function ConditionalOrder({ pair, leverage, position, price, onClose }: ConditionalOrderProps) {
  const { supabase } = useSignedIn();
  const [kind, setKind] = useState<Kind>('STOP_MARKET');
  const [side, setSide] = useState<Side>(position ? oppositeOf(position.side) : 'BUY');
  /** Null: as the side suggests. */
  const [chosenReduceOnly, setReduceOnly] = useState<boolean | null>(null);
  const [closesAll, setClosesAll] = useState(position !== undefined);
  const clientIdOf = useRepeatableClientId();
  const isClosed = useFreshness(pair) === 'closed';
  const isTrailing = kind === 'TRAILING_STOP_MARKET';
  const hasLimit = kind === 'STOP' || kind === 'TAKE_PROFIT';
  const reduces = position !== undefined && side === oppositeOf(position.side);
  const reduceOnly = chosenReduceOnly ?? reduces;
  const mayCloseAll = reduces && !hasLimit && !isTrailing;
  const isWhole = mayCloseAll && closesAll;
  const { hint } = kinds.find(({ value }) => value === kind) ?? kinds[0];
  const terms = { limits: pair.limits, market: price };
  const submission = useSubmission({
    names: ['trigger', 'limit', 'distance', 'amount', 'end'],
    check: ({ trigger, limit, distance, amount }) => ({
      trigger: isTrailing && trigger.trim() === '' ? null : priceFault(trigger, 'trigger', terms),
      limit: hasLimit ? priceFault(limit, 'limit', terms) : null,
      distance: isTrailing && toTrailRate(distance) === null ? texts.trailRateInvalid : null,
      amount: isWhole ? null : (amountFault(amount) ?? sizeFault(toSize(amount), pair.limits)),
    }),
    send: async ({ trigger, limit, distance, amount, end }) => {
      const row = {
        ...{ symbol: pair.symbol, type: kind, side, leverage: position?.leverage ?? leverage },
        size: isWhole ? 0 : (toFigure(toSize(amount)) ?? 0),
        price: hasLimit ? toFigure(toPrice(limit)) : null,
        trigger_price: toFigure(toPrice(trigger)),
        trail_rate: isTrailing ? toFigure(toTrailRate(distance)) : null,
        close_position: isWhole,
        reduce_only: reduceOnly || isWhole,
        ...(hasLimit && endOf(end)),
      };
      const client_id = clientIdOf(JSON.stringify({ ...row, expires_at: end }));
      await unwrap(
        supabase.rest
          .from('orders')
          .insert({ ...row, client_id })
          .select('*')
          .single(),
      );
      return () => {
        showToast('success', `The order of ${pair.symbol} waits for its trigger`);
        onClose();
      };
    },
    failed: failedWith('Failed to place order'),
  });
  const is = isClosed ? 'is closed, its last price was' : 'is at';
  const now = price === null ? '' : ` The market ${is} ${formatPrice(price, pair.tickSize)}.`;
  const chooseSide = (chosen: Side) => {
    setSide(chosen);
    setReduceOnly(null);
  };
  return (
    <FormDialog
      title={`Conditional order, ${pair.symbol}`}
      description={`It becomes an order once the price reaches its trigger. Until then it reserves nothing.${now}`}
      submission={submission}
      submit="Place conditional order"
      onClose={onClose}
    >
      <SelectField label="Kind" hint={hint} value={kind} options={kinds} onChange={setKind} />
      <Segmented<Side> label="Side" options={sideOptions} value={side} onChange={chooseSide} />
      <TextField
        {...submission.fieldOf('trigger')}
        label={isTrailing ? 'Follow from (empty: from now on)' : 'Trigger price'}
        hint={
          isTrailing ? `${side === 'SELL' ? 'Below' : 'Above'} the market it follows from now on.` : undefined
        }
        inputMode="decimal"
      />
      {hasLimit ? (
        <TextField {...submission.fieldOf('limit')} label="Limit price" inputMode="decimal" />
      ) : null}
      {isTrailing ? (
        <TextField
          {...submission.fieldOf('distance')}
          label="Distance in %"
          hint="From 0.1 to 20, in steps of 0.1."
          inputMode="decimal"
        />
      ) : null}
      {mayCloseAll ? (
        <Checkbox checked={closesAll} onChange={setClosesAll}>
          {`Close the whole ${sideLabel(position.side).toLowerCase()} position, whatever its size is by then`}
        </Checkbox>
      ) : null}
      {isWhole ? null : (
        <>
          <TextField
            {...submission.fieldOf('amount')}
            label={`Amount in ${pair.baseAsset}`}
            inputMode="decimal"
          />
          <Checkbox checked={reduceOnly} onChange={setReduceOnly}>
            Reduce only
          </Checkbox>
        </>
      )}
      {hasLimit ? <SelectField label="Ends" name="end" defaultValue="" options={ends} /> : null}
    </FormDialog>
  );
}
