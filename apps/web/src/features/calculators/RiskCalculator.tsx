/** How large a position may be for its stop to cost a given share of the account (CALC-06 to CALC-09, A06). */
import { texts } from '@fulcrum/contract/texts';
import {
  asFeeRate,
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
  UNIT,
} from '@fulcrum/domain';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Amount, formatFigure, formatPrice, Size } from '../../shared/numbers/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { Slider } from '../../shared/ui/index.ts';
import { explainRisk } from './explanations.ts';
import { type Fault, numberOf, readFigure, readLeverage, workOut } from './figures.ts';
import { useCalculator } from './inputs.ts';
import { CalculatorCard, FigureField, FillButton, LeverageField, Result } from './parts.tsx';
import { shownSteps, tickFor } from './steps.ts';
import { type ReadPrice, useCalculatorPair } from './useCalculatorPair.ts';

const least = toNumber(MIN_RISK_PERCENT);
const most = toNumber(MAX_RISK_PERCENT);
const step = toNumber(RISK_PERCENT_STEP);
const formatRisk = (percent: number) => `${formatFigure(percent, 1)}%`;

const same: Fault = { short: 'Same as entry', sentence: 'Stop loss must differ from the entry price.' };

/** The figures stand, but no order with this stop would be taken. */
function neverActs({ liquidatedAt }: StopOutlook, tickSize: number): Fault | null {
  if (liquidatedAt === null) return null;
  const sentence = texts.stopLossBeyondLiquidation(formatPrice(toNumber(liquidatedAt), tickSize));
  return { short: 'Liquidated first', sentence };
}

export function RiskCalculator() {
  const { config } = useSupabase();
  const { rules } = config;
  const feeRate = asFeeRate(parseDecimal(config.feeRate));
  const [typed, change] = useCalculator('risk');
  const pair = useCalculatorPair(typed.symbol);
  const account = readFigure(typed.account, 'Account', 'zero', asMoney);
  const entry = readFigure(typed.entryPrice, 'Entry price', 'above zero', asPrice);
  const stop = readFigure(typed.stopPrice, 'Stop loss', 'zero', asPrice);
  const leverage = readLeverage(typed.leverage);

  const known = workOut<RiskInputs, RiskResult>(
    {
      account: account.value,
      riskPercent: asPercent(parseDecimal(typed.riskPercent)),
      entryPrice: entry.value,
      stopPrice: stop.value,
      leverage: leverage.value,
    },
    (inputs) => calculateRisk(rules, inputs),
  );
  const result = known?.result;
  const steps = shownSteps(pair.filledFrom, pair.selected, entry.value, result?.positionSize ?? null);
  const tickSize = tickFor(pair.ordered?.limits ?? null, entry.value);
  const outlook = known && stopOutlook({ rules, feeRate, tickSize }, known.inputs, known.result);
  const explained = explainRisk({ rules, feeRate }, known, outlook, steps);
  const isSame = stop.value !== null && stop.value === entry.value;
  const stopFault = isSame ? same : outlook ? neverActs(outlook, steps.tickSize) : stop.fault;
  const fill = (symbol: string, { text, still }: ReadPrice) =>
    change({
      entryPrice: text,
      still,
      symbol,
      ...(pair.balance !== null && { account: pair.balance }),
      ...(symbol !== typed.symbol && { stopPrice: '' }),
    });
  const limits = pair.filledFrom?.limits;

  return (
    <CalculatorCard
      title="Risk Management"
      pair={pair}
      workedOut={
        known && {
          side: known.result.side,
          size: known.result.positionSize,
          leverage: known.inputs.leverage,
          entryPrice: known.inputs.entryPrice,
          exitPrice: known.inputs.stopPrice,
        }
      }
      foot={
        <dl>
          <Result name="Risk amount" explanation={explained.riskAmount}>
            <Amount value={numberOf(result?.riskAmount)} unit="USDT" />
          </Result>
          <Result name="Position size" explanation={explained.positionSize}>
            <Size
              value={numberOf(result?.positionSize)}
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
              value={numberOf(result?.margin)}
              {...(result?.exceedsAccount ? { className: 'text-warn' } : { unit: 'USDT' })}
            />
          </Result>
        </dl>
      }
    >
      <div className="-mt-1 flex items-center justify-between gap-3">
        <span className="text-12 text-text-3">Price and total balance</span>
        <FillButton
          size="compact"
          pair={pair}
          fills="the price as entry price and your total balance as account"
          onFill={fill}
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
