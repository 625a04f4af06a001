/** The order's value, cost and liquidation price, at the live price and for the settled amount. */
import type { Side } from '@fulcrum/domain';
import type { ReactNode } from 'react';
import { feePercent } from '../../../shared/explained/explanation.ts';
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import { formatAmount, LiveFigure, noFigure, usePriceFormat } from '../../../shared/numbers/index.ts';
import { OrderWarnings } from '../../coach/index.ts';
import { ExplainedEstimate } from './ExplainedEstimate.tsx';
import { explainLiquidation, explainMargin, explainRewardToRisk, getRewardToRisk } from './formulas.ts';
import { feeOf, liquidationOf, marginOf, worthOf } from './order-figures.ts';
import { getOutcomes } from './outcomes.ts';
import type { Ticket } from './useTicket.ts';
import { useFailedField, useSettledFigure } from './useTicketValue.ts';
import type { OrderFacts } from './validators.ts';

const formatRatio = (value: number | null | undefined) =>
  value == null ? noFigure : `${formatAmount(value)} : 1`;

const ratioOf = (facts: OrderFacts) => {
  const { takeProfit, stopLoss } = getOutcomes(facts);
  return getRewardToRisk(takeProfit, stopLoss);
};

function Row({
  label,
  unit,
  children,
}: {
  readonly label: ReactNode;
  readonly unit?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex h-6 items-center justify-between gap-3 max-md:h-8">
      <dt className="text-12 whitespace-nowrap text-text-2">{label}</dt>
      <dd className="min-w-0 truncate text-13 font-medium">
        {children}
        {unit === undefined ? null : <span className="font-normal text-text-3">{` ${unit}`}</span>}
      </dd>
    </div>
  );
}

interface PartProps {
  readonly ticket: Ticket;
}

/** The opening fee, charged beside the margin; closing costs the same share of its own value (A07). */
function FeeRow({ ticket }: PartProps) {
  return (
    <Row label={`Fee to open, ${feePercent(ticket.feeRate)}`} unit="USDT">
      <LiveFigure source={useSettledFigure(ticket, feeOf)} format={formatAmount} flashes={false} />
    </Row>
  );
}

function MarginRow({ ticket }: PartProps) {
  const { pair, state, factsOf } = ticket;
  const isShort = useFailedField(ticket) === 'margin';
  const explain = () => {
    const { terms, summary } = factsOf(state.settled);
    return explainMargin(terms, summary, pair);
  };
  return (
    <Row label={<ExplainedEstimate name="Required Margin" ticket={ticket} explain={explain} />} unit="USDT">
      <LiveFigure
        source={useSettledFigure(ticket, marginOf)}
        format={formatAmount}
        flashes={false}
        className={isShort ? 'text-down' : ''}
      />
    </Row>
  );
}

const liquidationNames = { BUY: 'Est. liq. price, long', SELL: 'Est. liq. price, short' } as const;

function LiquidationRow({ ticket, side }: PartProps & { readonly side: Side }) {
  const { pair, state, factsOf } = ticket;
  const { tickSize } = pair;
  const format = usePriceFormat(tickSize);
  const explain = () => {
    const { terms, summary } = factsOf(state.settled);
    return explainLiquidation(side, terms, summary, pair);
  };
  return (
    <Row label={<ExplainedEstimate name={liquidationNames[side]} ticket={ticket} explain={explain} />}>
      <LiveFigure
        source={useSettledFigure(ticket, liquidationOf[side])}
        format={format}
        shorten={foldZeros}
        flashes={false}
      />
    </Row>
  );
}

function RewardRow({ ticket }: PartProps) {
  const { state, factsOf } = ticket;
  const explain = () => {
    const { takeProfit, stopLoss } = getOutcomes(factsOf(state.settled));
    return explainRewardToRisk(takeProfit, stopLoss);
  };
  return (
    <Row label={<ExplainedEstimate name="Reward to risk" ticket={ticket} explain={explain} />}>
      <LiveFigure source={useSettledFigure(ticket, ratioOf)} format={formatRatio} flashes={false} />
    </Row>
  );
}

export function TicketSummary({ ticket }: PartProps) {
  const { state, isNet } = ticket;
  return (
    <dl>
      <Row
        label={
          <>
            <span>Order Value</span>
            <OrderWarnings
              waiting={null}
              order={() => ticket.factsOf(state.settled)}
              price={ticket.shownPrice}
              side={state.workedOutFor}
              reduceOnly={isNet && state.netTerms.reduceOnly}
            />
          </>
        }
        unit="USDT"
      >
        <LiveFigure source={useSettledFigure(ticket, worthOf)} format={formatAmount} flashes={false} />
      </Row>
      {/* Those of a net position depend on what it already is. */}
      {isNet ? null : (
        <>
          <MarginRow ticket={ticket} />
          {ticket.feeRate === 0n ? null : <FeeRow ticket={ticket} />}
          <LiquidationRow ticket={ticket} side="BUY" />
          <LiquidationRow ticket={ticket} side="SELL" />
        </>
      )}
      {state.protects ? <RewardRow ticket={ticket} /> : null}
    </dl>
  );
}
