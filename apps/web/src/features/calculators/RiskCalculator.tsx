/** The position size at which a stop loss costs a given share of the account (CALC-06 to CALC-09, A06). */
import { texts } from '@fulcrum/contract/texts';
import {
  asMoney,
  asPercent,
  asPrice,
  calculateRisk,
  MAX_RISK_PERCENT,
  MIN_RISK_PERCENT,
  parseDecimal,
  RISK_PERCENT_STEP,
  type RiskInputs,
  type RiskResult,
  type StopOutlook,
  stopOutlook,
  toNumber,
  toNumberOrNull,
  UNIT,
} from '@fulcrum/domain';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { getAccountTerms } from '../../shared/account/index.ts';
import { Amount, formatFigure, formatPrice, Size } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Slider } from '../../shared/ui/index.ts';
import { toCircumstances } from './circumstances.ts';
import { getDisplaySteps } from './display-steps.ts';
import { explainRisk } from './explanations.ts';
import { calculateIfComplete, type Fault, parseFigure, parseLeverage } from './field-parsing.ts';
import { toFormulas } from './order-draft.ts';
import { CalculatorCard, FigureField, FillButton, LeverageField, Result } from './parts.tsx';
import { useCalculator } from './useCalculator.ts';
import { useCalculatorPair } from './useCalculatorPair.ts';

const least = toNumber(MIN_RISK_PERCENT);
const most = toNumber(MAX_RISK_PERCENT);
const step = toNumber(RISK_PERCENT_STEP);
const formatRisk = (percent: number) => `${formatFigure(percent, 1)}%`;

const same: Fault = { short: 'Same as entry', sentence: 'Stop loss must differ from the entry price.' };

/** The figures are correct, but the server would refuse an order with this stop. */
function neverTriggers({ liquidatedAt }: StopOutlook, tickSize: number): Fault | null {
  if (liquidatedAt === null) return null;
  const sentence = texts.stopLossBeyondLiquidation(formatPrice(toNumber(liquidatedAt), tickSize));
  return { short: 'Liquidated first', sentence };
}

export function RiskCalculator() {
  const terms = getAccountTerms(useSignedIn());
  const rules = toFormulas(terms.rules);
  const [typed, change] = useCalculator('risk');
  const pair = useCalculatorPair(typed.symbol);
  const account = parseFigure(typed.account, 'Account', 'zero', asMoney);
  const entry = parseFigure(typed.entryPrice, 'Entry price', 'above zero', asPrice);
  const stop = parseFigure(typed.stopPrice, 'Stop loss', 'zero', asPrice);
  const leverage = parseLeverage(typed.leverage);

  const calculation = calculateIfComplete<RiskInputs, RiskResult>(
    {
      account: account.value,
      riskPercent: asPercent(parseDecimal(typed.riskPercent)),
      entryPrice: entry.value,
      stopPrice: stop.value,
      leverage: leverage.value,
    },
    (inputs) => calculateRisk(rules, inputs),
  );
  const result = calculation?.result;
  const steps = getDisplaySteps(pair.filledFrom, pair.selected, entry.value, result?.positionSize ?? null);
  const circumstances = toCircumstances(terms, pair.orderPair, entry.value);
  const outlook =
    calculation && circumstances && stopOutlook(circumstances, calculation.inputs, calculation.result);
  const explained = explainRisk({ rules, feeRate: terms.feeRate }, calculation, outlook, steps);
  const isSame = stop.value !== null && stop.value === entry.value;
  const stopFault = isSame ? same : outlook ? neverTriggers(outlook, steps.tickSize) : stop.fault;
  const limits = pair.filledFrom?.limits;

  return (
    <CalculatorCard
      title="Risk Management"
      pair={pair}
      calculated={
        calculation && {
          side: calculation.result.side,
          size: calculation.result.positionSize,
          leverage: calculation.inputs.leverage,
          entryPrice: calculation.inputs.entryPrice,
          exitPrice: calculation.inputs.stopPrice,
        }
      }
      footer={
        <dl>
          <Result name="Risk amount" explanation={explained.riskAmount}>
            <Amount value={toNumberOrNull(result?.riskAmount)} unit="USDT" />
          </Result>
          <Result name="Position size" explanation={explained.positionSize}>
            <Size
              value={toNumberOrNull(result?.positionSize)}
              stepSize={steps.stepSize}
              {...(steps.baseAsset !== null && { unit: steps.baseAsset })}
            />
          </Result>
          <Result name="Required margin" explanation={explained.margin}>
            <span role="status">
              {result?.exceedsAccount ? (
                <span className="mr-2 text-12 font-normal text-warn">
                  <TriangleAlert size={14} aria-hidden="true" className="mr-1 inline-block align-[-2px]" />
                  Exceeds account
                </span>
              ) : null}
            </span>
            <Amount
              value={toNumberOrNull(result?.margin)}
              {...(result?.exceedsAccount ? { className: 'text-warn' } : { unit: 'USDT' })}
            />
          </Result>
        </dl>
      }
    >
      <div className="-mt-1 flex items-center justify-between gap-3">
        <span className="text-12 text-text-3">Price and total balance</span>
        <FillButton
          calculator="risk"
          size="compact"
          pair={pair}
          fills="the price as entry price and your total balance as account"
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_100px] gap-2">
        <FigureField
          label="Account"
          text={typed.account}
          onChange={(next) => change({ account: next })}
          fault={account.fault}
          unit="USDT"
          step={UNIT}
        />
        <LeverageField
          text={typed.leverage}
          onChange={(next) => change({ leverage: next })}
          fault={leverage.fault}
        />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <FigureField
          label="Entry price"
          text={typed.entryPrice}
          onChange={(entryPrice) => change({ entryPrice, still: null })}
          fault={entry.fault}
          still={typed.still}
          unit={pair.filledFrom?.quoteAsset}
          step={limits?.tickSize ?? null}
        />
        <FigureField
          label="Stop loss"
          text={typed.stopPrice}
          onChange={(stopPrice) => change({ stopPrice })}
          fault={stopFault}
          unit={pair.filledFrom?.quoteAsset}
          step={limits?.tickSize ?? null}
        />
      </div>
      <div>
        <div className="flex items-baseline justify-between text-12 text-text-2">
          <span>Risk per trade</span>
          <output className="figures font-semibold text-text">{formatRisk(typed.riskPercent)}</output>
        </div>
        <Slider
          label="Risk per trade"
          min={least}
          max={most}
          step={step}
          value={typed.riskPercent}
          onChange={(next) => change({ riskPercent: next })}
          stops={[least, most]}
          format={formatRisk}
        />
      </div>
    </CalculatorCard>
  );
}
