/**
 * The profit of a trade by the specification's formula (CALC-03 to CALC-05): size is the stake, leverage multiplies
 * it.
 */
import {
  asPrice,
  asSize,
  calculatePnl,
  type PnlInputs,
  type PnlResult,
  toNumberOrNull,
} from '@fulcrum/domain';
import { getAccountTerms } from '../../shared/account/index.ts';
import { Percent, Pnl, Size } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { getDisplaySteps } from './display-steps.ts';
import { explainPnl } from './explanations.ts';
import { calculateIfComplete, parseFigure, parseLeverage } from './field-parsing.ts';
import { getPnlOrderSize, toFormulas } from './order-draft.ts';
import {
  CalculatorCard,
  FigureField,
  FillButton,
  LeverageField,
  Result,
  ResultName,
  SideChoice,
} from './parts.tsx';
import { useCalculator } from './useCalculator.ts';
import { useCalculatorPair } from './useCalculatorPair.ts';

export function PnlCalculator() {
  const rules = toFormulas(getAccountTerms(useSignedIn()).rules);
  const [texts, change] = useCalculator('pnl');
  const pair = useCalculatorPair(texts.symbol);
  const { side } = texts;
  const entry = parseFigure(texts.entryPrice, 'Entry price', 'above zero', asPrice);
  const exit = parseFigure(texts.exitPrice, 'Exit price', 'zero', asPrice);
  const size = parseFigure(texts.size, 'Size', 'above zero', asSize);
  const leverage = parseLeverage(texts.leverage);

  const calculation = calculateIfComplete<PnlInputs, PnlResult>(
    {
      side,
      entryPrice: entry.value,
      exitPrice: exit.value,
      size: size.value,
      leverage: leverage.value,
    },
    calculatePnl,
  );
  const result = calculation?.result;
  const steps = getDisplaySteps(
    pair.filledFrom,
    pair.selected,
    entry.value,
    result?.positionSize ?? size.value,
  );
  const explained = explainPnl(rules, side, calculation, steps);
  const limits = pair.filledFrom?.limits;

  return (
    <CalculatorCard
      title="P/L Calculator"
      pair={pair}
      calculated={
        calculation && {
          side,
          size: getPnlOrderSize(rules, calculation),
          leverage: calculation.inputs.leverage,
          entryPrice: calculation.inputs.entryPrice,
          exitPrice: calculation.inputs.exitPrice,
        }
      }
      footer={
        <dl>
          <div>
            <dt>
              <ResultName name="Profit / loss" explanation={explained.pnl} />
            </dt>
            <dd className="-my-1 h-8 min-w-0 truncate py-1 text-28 leading-6 font-semibold tracking-[-0.02em]">
              <Pnl value={toNumberOrNull(result?.pnl)} />
              {calculation === null ? null : (
                <span className="ml-1.5 text-12 font-normal tracking-normal text-text-3">USDT</span>
              )}
            </dd>
          </div>
          <Result name="ROI" explanation={explained.roi}>
            <Percent value={toNumberOrNull(result?.roi)} />
          </Result>
        </dl>
      }
    >
      <div className="flex items-start gap-2">
        <SideChoice side={side} onChange={(next) => change({ side: next })} />
        <FillButton calculator="pnl" pair={pair} fills="the price as entry price" />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <FigureField
          label="Entry price"
          text={texts.entryPrice}
          onChange={(entryPrice) => change({ entryPrice, still: null })}
          fault={entry.fault}
          still={texts.still}
          unit={pair.filledFrom?.quoteAsset}
          step={limits?.tickSize ?? null}
        />
        <FigureField
          label="Exit price"
          text={texts.exitPrice}
          onChange={(exitPrice) => change({ exitPrice })}
          fault={exit.fault}
          unit={pair.filledFrom?.quoteAsset}
          step={limits?.tickSize ?? null}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_100px] gap-2">
        <FigureField
          label="Size (your stake, before leverage)"
          text={texts.size}
          onChange={(next) => change({ size: next })}
          fault={size.fault}
          unit={pair.filledFrom?.baseAsset}
          step={limits?.stepSize ?? null}
        />
        <LeverageField
          text={texts.leverage}
          onChange={(next) => change({ leverage: next })}
          fault={leverage.fault}
        />
      </div>
      <dl className="flex min-h-6 items-center gap-1.5 text-12 text-text-2">
        <dt>
          <ResultName name="Position size" explanation={explained.positionSize} />
        </dt>
        <dd className="min-w-0 truncate">
          {'= size × leverage = '}
          <Size
            value={toNumberOrNull(result?.positionSize)}
            stepSize={steps.stepSize}
            {...(steps.baseAsset !== null && { unit: steps.baseAsset })}
            className="font-medium text-text"
          />
        </dd>
      </dl>
    </CalculatorCard>
  );
}
