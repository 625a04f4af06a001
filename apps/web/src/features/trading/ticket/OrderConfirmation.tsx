/**
 * The confirmation between button and order, with its figures at the current price. The press of the button fixes the
 * amount, which then no longer follows the price. Invariant: it does not confirm an order that breaks a rule by then,
 * nor a market order whose price moved beyond the tolerance (A18).
 */
import { toNumber } from '@fulcrum/domain';
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { feePercent } from '../../../shared/explained/explanation.ts';
import {
  colourByDirection,
  directionOf,
  formatAmount,
  formatSize,
  LiveFigure,
  type LiveSource,
  noFigure,
  Percent,
  Pnl,
  Price,
  usePriceFormat,
} from '../../../shared/numbers/index.ts';
import { setPreference } from '../../../shared/preferences/index.ts';
import { Button, Checkbox, Dialog } from '../../../shared/ui/index.ts';
import { waitNames } from '../../order-book/index.ts';
import { formatAfter } from './AccountStrip.tsx';
import {
  availableAfter,
  feeOf,
  liquidationOf,
  marginOf,
  priceOf,
  type ReadFigure,
  worthOf,
} from './order-figures.ts';
import { orderTypeNames } from './order-types.ts';
import { getOutcomes } from './outcomes.ts';
import { findRepeatedIntent, type OrderDraft } from './ticket.ts';
import type { Ticket } from './useTicket.ts';
import { useTicketValue } from './useTicketValue.ts';
import { buttonNames, lateText } from './validators.ts';

interface ConfirmationProps {
  readonly ticket: Ticket;
  readonly draft: OrderDraft;
}

function useDraftFigure({ ticket, draft }: ConfirmationProps, read: ReadFigure): LiveSource {
  const { shownPrice } = ticket;
  return useMemo(
    () => ({
      get: () => read(ticket.confirmedFacts(draft)),
      subscribe: shownPrice.subscribe,
    }),
    [ticket, draft, read, shownPrice],
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-4">
      <dt className="text-13 text-text-2">{label}</dt>
      <dd className="figures text-13 font-medium">{children}</dd>
    </div>
  );
}

const unit = <span className="font-normal text-text-3"> USDT</span>;

function MoneyRow({
  label,
  read,
  ...props
}: ConfirmationProps & { readonly label: string; readonly read: ReadFigure }) {
  return (
    <Row label={label}>
      <LiveFigure source={useDraftFigure(props, read)} format={formatAmount} flashes={false} />
      {unit}
    </Row>
  );
}

/** `98,400.00, +624.00 (+51.70%)`. */
function OutcomeRow({
  ticket,
  draft,
  which,
}: ConfirmationProps & { readonly which: 'takeProfit' | 'stopLoss' }) {
  const price = which === 'takeProfit' ? draft.takeProfitPrice : draft.stopLossPrice;
  const read = () => getOutcomes(ticket.confirmedFacts(draft), draft.side)[which];
  const pnl = useTicketValue(ticket, () => toNumberOrNull(read()?.pnl));
  const roe = useTicketValue(ticket, () => toNumberOrNull(read()?.roe));
  if (price === null) return null;
  return (
    <Row label={which === 'takeProfit' ? 'Take Profit' : 'Stop Loss'}>
      <Price value={Number(price)} tickSize={ticket.pair.tickSize} className="mr-2.5" />
      <Pnl value={pnl} />{' '}
      <span className={colourByDirection[directionOf(roe)]}>
        (<Percent value={roe} />)
      </span>
    </Row>
  );
}
const toNumberOrNull = (value: bigint | undefined) => (value === undefined ? null : toNumber(value));

function Terms({ ticket, draft }: ConfirmationProps) {
  const { pair, balance, feeRate, isNet } = ticket;
  const { tickSize } = pair;
  const formatTick = usePriceFormat(tickSize);
  const props = { ticket, draft };
  const isMarket = draft.type === 'MARKET';
  const liquidation = useDraftFigure(props, liquidationOf[draft.side]);
  return (
    <dl>
      <Row label={`${orderTypeNames[draft.type]} price`}>
        {isMarket ? <span className="font-normal text-text-2">about </span> : null}
        <LiveFigure source={useDraftFigure(props, priceOf)} format={formatTick} flashes={isMarket} />
      </Row>
      <Row label="Leverage">{draft.leverage}×</Row>
      {draft.netTerms === null ? null : (
        <Row label={isMarket ? 'May open' : 'Time in force'}>
          {isMarket ? null : `${waitNames[draft.netTerms.timeInForce]}, `}
          {draft.netTerms.reduceOnly ? 'reduces only' : isMarket ? 'yes' : 'may open'}
        </Row>
      )}
      <MoneyRow {...props} label="Order Value" read={worthOf} />
      {isNet ? null : <MoneyRow {...props} label="Required Margin" read={marginOf} />}
      {isNet || feeRate === 0n ? null : (
        <MoneyRow {...props} label={`Fee to open, ${feePercent(feeRate)}`} read={feeOf} />
      )}
      {isNet ? null : (
        <Row label="Est. liq. price">
          <LiveFigure source={liquidation} format={formatTick} flashes={false} />
        </Row>
      )}
      <OutcomeRow {...props} which="takeProfit" />
      <OutcomeRow {...props} which="stopLoss" />
      <Row label="Account Balance">
        {balance === undefined ? noFigure : formatAmount(balance)}
        <LiveFigure source={useDraftFigure(props, availableAfter)} format={formatAfter} flashes={false} />
        {unit}
      </Row>
    </dl>
  );
}

/** A held key confirms nothing: the press began on the button that opened the dialog. */
const ignoreRepeats = (event: KeyboardEvent) => {
  if (event.repeat) event.preventDefault();
};

function ConfirmationDialog({ ticket, draft }: ConfirmationProps) {
  const { pair, state, dispatch, confirm, submit, confirmedFacts, confirmedRuleOf } = ticket;
  const confirmButton = useRef<HTMLButtonElement>(null);
  const ruleId = useId();
  const [skipsConfirmation, setSkipsConfirmation] = useState(false);
  const rule = useTicketValue(ticket, () => confirmedRuleOf(draft, confirmedFacts(draft))?.text ?? null);
  const pending = state.pending !== null;
  const size = `${formatSize(Number(draft.size), pair.stepSize)} ${pair.baseAsset}`;
  const confirmLabel = `${buttonNames[draft.side]} ${size}`;
  const repeats = findRepeatedIntent(state, draft) !== null;
  const goAhead = () => {
    if (skipsConfirmation) setPreference('confirmsOrders', false);
    confirm();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || dispatch({ type: 'withdrawn' })}
      outside="stays"
      initialFocus={confirmButton}
      title={`${buttonNames[draft.side]} ${pair.symbol}?`}
      description={
        <p>
          {orderTypeNames[draft.type]} order, {draft.side === 'BUY' ? 'a long' : 'a short'} of{' '}
          <span className="figures font-medium text-text">{size}</span>
          {repeats
            ? ', sent before without an answer: it is sent again as the same order, never as a second one.'
            : '.'}
        </p>
      }
      actions={
        <>
          {rule === null ? (
            <Button onClick={() => dispatch({ type: 'withdrawn' })} muted={pending}>
              Cancel
            </Button>
          ) : (
            <Button onClick={() => submit(draft.side)}>Ask again</Button>
          )}
          <Button
            ref={confirmButton}
            tone={draft.side === 'BUY' ? 'up' : 'down'}
            onClick={goAhead}
            onKeyDown={ignoreRepeats}
            muted={rule !== null}
            pending={pending}
            aria-describedby={ruleId}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Terms ticket={ticket} draft={draft} />
      <p
        id={ruleId}
        role="status"
        className={`figures mt-2 min-h-8 text-12 leading-4 ${rule === null ? 'text-warn' : 'text-down'}`}
      >
        {rule ?? (ticket.isPriceLate ? lateText : null)}
      </p>
      <Checkbox checked={skipsConfirmation} onChange={setSkipsConfirmation}>
        Do not ask again
      </Checkbox>
      <p role="status" className="text-12 text-text-3 empty:hidden">
        {skipsConfirmation ? 'You can switch it on again in your profile, under Trading.' : ''}
      </p>
    </Dialog>
  );
}

/** Part of each form; empty until a button opens it. */
export function OrderConfirmation({ ticket }: { readonly ticket: Ticket }) {
  const { confirming: draft } = ticket.state;
  return draft === null ? null : <ConfirmationDialog ticket={ticket} draft={draft} />;
}
