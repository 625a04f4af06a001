/** What a trade makes, to the letter of the specification (CALC-03 to CALC-05): size is the stake, leverage multiplies it. */
import { asPrice, asSize, calculatePnl, type PnlInputs, type PnlResult } from '@fulcrum/domain';
import { Percent, Pnl, Size } from '../../shared/numbers/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { explainPnl } from './explanations.ts';
import { numberOf, readFigure, readLeverage, workOut } from './figures.ts';
import { useCalculator } from './inputs.ts';
import { pnlOrderSize } from './order-from.ts';
import {
  CalculatorCard,
  FigureField,
  FillButton,
  LeverageField,
  Result,
  ResultName,
  SideChoice,
} from './parts.tsx';
import { shownSteps } from './steps.ts';
import { type ReadPrice, useCalculatorPair } from './useCalculatorPair.ts';

export function PnlCalculator() {
  const { rules } = useSupabase().config;
  const [texts, change] = useCalculator('pnl');
  const pair = useCalculatorPair(texts.symbol);
  const { side, symbol } = texts;
  const entry = readFigure(texts.entryPrice, 'Entry price', 'above zero', asPrice);
  const exit = readFigure(texts.exitPrice, 'Exit price', 'zero', asPrice);
  const size = readFigure(texts.size, 'Size', 'above zero', asSize);
  const leverage = readLeverage(texts.leverage);

  const known = workOut<PnlInputs, PnlResult>(
    {
      side,
      entryPrice: entry.value,
      exitPrice: exit.value,
      size: size.value,
      leverage: leverage.value,
    },
    calculatePnl,
  );
  const result = known?.result;
  const steps = shownSteps(pair.filledFrom, pair.selected, entry.value, result?.positionSize ?? size.value);
  const explained = explainPnl(rules, side, known, steps);
  const fill = (from: string, { text, still }: ReadPrice) =>
    change({ entryPrice: text, still, symbol: from, ...(from !== symbol && { exitPrice: '', size: '' }) });
  const limits = pair.filledFrom?.limits;

  return (
    <CalculatorCard
      title="P/L Calculator"
      pair={pair}
      workedOut={
        known && {
          side,
          size: pnlOrderSize(rules, known),
          leverage: known.inputs.leverage,
          entryPrice: known.inputs.entryPrice,
          exitPrice: known.inputs.exitPrice,
        }
      }
      foot={
        <dl>
          <div>
            <dt>
              <ResultName name="Profit / loss" explanation={explained.pnl} />
            </dt>
            <dd className="-my-1 h-8 min-w-0 truncate py-1 text-28 leading-6 font-semibold tracking-[-0.02em]">
              <Pnl value={numberOf(result?.pnl)} />
              {known === null ? null : (
                <span className="ml-1.5 text-12 font-normal tracking-normal text-text-3">USDT</span>
              )}
            </dd>
          </div>
          <Result name="ROI" explanation={explained.roi}>
            <Percent value={numberOf(result?.roi)} />
          </Result>
        </dl>
      }
    >
      <div className="flex items-start gap-2">
        <SideChoice side={side} onChange={(next) => change({ side: next })} />
        <FillButton pair={pair} fills="the price as entry price" onFill={fill} />
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
            value={numberOf(result?.positionSize)}
            stepSize={steps.stepSize}
            {...(steps.baseAsset !== null && { unit: steps.baseAsset })}
            className="font-medium text-text"
          />
        </dd>
      </dl>
    </CalculatorCard>
  );
}
