/**
 * The question between the button and the order: what will happen, in figures, at the price of the moment. The amount is
 * fixed by the press of the button and does not follow the price any more. Invariant: it does not confirm what a rule
 * forbids by now, nor a market order whose price has moved beyond the tolerance since (A18).
 */
import { type Side, toNumber } from '@fulcrum/domain';
import { type KeyboardEvent, type ReactNode, useCallback, useId, useMemo, useRef, useState } from 'react';
import { feePercent } from '../../../shared/explained/explanation.ts';
import {
  colourOf,
  directionOf,
  formatAmount,
  formatPrice,
  formatSize,
  LiveFigure,
  type LiveSource,
  noFigure,
  Percent,
  Pnl,
  Price,
} from '../../../shared/numbers/index.ts';
import { prefer } from '../../../shared/preferences/index.ts';
import { Button, Checkbox, Dialog } from '../../../shared/ui/index.ts';
import { formatAfter } from './AccountStrip.tsx';
import { afterOrder } from './margin-use.ts';
import { outcomesOf } from './outcomes.ts';
import { type OrderDraft, repeatedIntent } from './ticket.ts';
import { useShown } from './useShown.ts';
import { orderTypeNames, type Ticket } from './useTicket.ts';
import { buttonNames, type OrderFacts } from './validators.ts';

interface AskedProps {
  readonly ticket: Ticket;
  readonly asked: OrderDraft;
}

type Read = (facts: OrderFacts) => bigint | null;
const worthOf: Read = ({ summary }) => summary.orderValue;
const marginOf: Read = ({ summary }) => summary.requiredMargin;
const feeOf: Read = ({ summary }) => summary.openingFee;
const priceOf: Read = ({ terms }) => terms.price;
const liquidationOf = {
  BUY: ({ summary }) => summary.liquidationLong,
  SELL: ({ summary }) => summary.liquidationShort,
} as const satisfies Record<Side, Read>;
const availableOf: Read = (facts) => afterOrder(facts)?.available ?? null;

const formatMoney = (value: number | null | undefined) => formatAmount(value);

function useAskedFigure({ ticket, asked }: AskedProps, read: Read): LiveSource {
  const { shownPrice } = ticket;
  return useMemo(
    () => ({
      get: () => {
        const value = read(ticket.askedFacts(asked));
        return value === null ? null : toNumber(value);
      },
      subscribe: shownPrice.subscribe,
    }),
    [ticket, asked, read, shownPrice],
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

function MoneyRow({ label, read, ...props }: AskedProps & { readonly label: string; readonly read: Read }) {
  return (
    <Row label={label}>
      <LiveFigure source={useAskedFigure(props, read)} format={formatMoney} flashes={false} />
      {unit}
    </Row>
  );
}

/** `98,400.00, +624.00 (+51.70%)`. */
function OutcomeRow({ ticket, asked, which }: AskedProps & { readonly which: 'takeProfit' | 'stopLoss' }) {
  const price = which === 'takeProfit' ? asked.takeProfitPrice : asked.stopLossPrice;
  const read = () => outcomesOf(ticket.askedFacts(asked), asked.side)[which];
  const pnl = useShown(ticket, () => toNumberOrNull(read()?.pnl));
  const roe = useShown(ticket, () => toNumberOrNull(read()?.roe));
  if (price === null) return null;
  return (
    <Row label={which === 'takeProfit' ? 'Take Profit' : 'Stop Loss'}>
      <Price value={Number(price)} tickSize={ticket.pair.tickSize} className="mr-2.5" />
      <Pnl value={pnl} />{' '}
      <span className={colourOf[directionOf(roe)]}>
        (<Percent value={roe} />)
      </span>
    </Row>
  );
}
const toNumberOrNull = (value: bigint | undefined) => (value === undefined ? null : toNumber(value));

function Terms({ ticket, asked }: AskedProps) {
  const { pair, balance, feeRate } = ticket;
  const { tickSize } = pair;
  const formatTick = useCallback(
    (value: number | null | undefined) => formatPrice(value, tickSize),
    [tickSize],
  );
  const props = { ticket, asked };
  const isMarket = asked.type === 'MARKET';
  return (
    <dl>
      <Row label={`${orderTypeNames[asked.type]} price`}>
        {isMarket ? <span className="font-normal text-text-2">about </span> : null}
        <LiveFigure source={useAskedFigure(props, priceOf)} format={formatTick} flashes={isMarket} />
      </Row>
      <Row label="Leverage">{asked.leverage}×</Row>
      <MoneyRow {...props} label="Order Value" read={worthOf} />
      <MoneyRow {...props} label="Required Margin" read={marginOf} />
      {feeRate === 0n ? null : (
        <MoneyRow {...props} label={`Fee to open, ${feePercent(feeRate)}`} read={feeOf} />
      )}
      <Row label="Est. liq. price">
        <LiveFigure
          source={useAskedFigure(props, liquidationOf[asked.side])}
          format={formatTick}
          flashes={false}
        />
      </Row>
      <OutcomeRow {...props} which="takeProfit" />
      <OutcomeRow {...props} which="stopLoss" />
      <Row label="Account Balance">
        {balance === undefined ? noFigure : formatAmount(balance)}
        <LiveFigure source={useAskedFigure(props, availableOf)} format={formatAfter} flashes={false} />
        {unit}
      </Row>
    </dl>
  );
}

/** A key that is held down confirms nothing: it was pressed on the button that asked. */
const ignoreRepeats = (event: KeyboardEvent) => {
  if (event.repeat) event.preventDefault();
};

function Question({ ticket, asked }: AskedProps) {
  const { pair, state, dispatch, confirm, submit, askedFacts, askedRuleOf } = ticket;
  const confirmButton = useRef<HTMLButtonElement>(null);
  const ruleId = useId();
  const [asksNoMore, setAsksNoMore] = useState(false);
  const rule = useShown(ticket, () => askedRuleOf(asked, askedFacts(asked))?.text ?? null);
  const pending = state.pending !== null;
  const size = `${formatSize(Number(asked.size), pair.stepSize)} ${pair.baseAsset}`;
  const act = `${buttonNames[asked.side]} ${size}`;
  const repeats = repeatedIntent(state, asked) !== null;
  const goAhead = () => {
    if (asksNoMore) prefer('confirmsOrders', false);
    confirm();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || dispatch({ type: 'withdrawn' })}
      outside="stays"
      initialFocus={confirmButton}
      title={`${buttonNames[asked.side]} ${pair.symbol}?`}
      description={
        <p>
          {orderTypeNames[asked.type]} order, {asked.side === 'BUY' ? 'a long' : 'a short'} of{' '}
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
            <Button onClick={() => submit(asked.side)}>Ask again</Button>
          )}
          <Button
            ref={confirmButton}
            tone={asked.side === 'BUY' ? 'up' : 'down'}
            onClick={goAhead}
            onKeyDown={ignoreRepeats}
            muted={rule !== null}
            pending={pending}
            aria-describedby={ruleId}
          >
            {act}
          </Button>
        </>
      }
    >
      <Terms ticket={ticket} asked={asked} />
      <p id={ruleId} role="status" className="figures mt-2 min-h-8 text-12 leading-4 text-down">
        {rule}
      </p>
      <Checkbox checked={asksNoMore} onChange={setAsksNoMore}>
        Do not ask again
      </Checkbox>
    </Dialog>
  );
}

/** Stands in each form; empty until a button asks. */
export function OrderQuestion({ ticket }: { readonly ticket: Ticket }) {
  const { asked } = ticket.state;
  return asked === null ? null : <Question ticket={ticket} asked={asked} />;
}
