/**
 * A position's value, margin, fees and liquidation price (CALC-10 to CALC-15). `standard` and `perpetual` use the engine's
 * formulas; `as-specified` shows the stated placeholder instead of the liquidation price (A04, A07, A113).
 */
import {
  asPrice,
  asSize,
  calculatePosition,
  calculatorFee,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  type PositionInputs,
  type PositionResult,
  toNumberOrNull,
} from '@fulcrum/domain';
import { getAccountTerms } from '../../shared/account/index.ts';
import { feePercent } from '../../shared/explained/explanation.ts';
import { Amount, Price } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Slider } from '../../shared/ui/index.ts';
import { toCircumstances } from './circumstances.ts';
import { getDisplaySteps } from './display-steps.ts';
import { explainPosition } from './explanations.ts';
import { calculateIfComplete, parseFigure } from './field-parsing.ts';
import { CalculatorCard, FigureField, FillButton, Result, SideChoice } from './parts.tsx';
import { useCalculator } from './useCalculator.ts';
import { useCalculatorPair } from './useCalculatorPair.ts';

/** Labels the literal placeholder of `as-specified`; A01 states the text. */
const placeholderNote = "placeholder, not the engine's liquidation price";

const formatLeverage = (leverage: number) => `${leverage}×`;

export function PositionCalculator() {
  const terms = getAccountTerms(useSignedIn());
  const { rules, feeRate } = terms;
  const [texts, change] = useCalculator('position');
  const pair = useCalculatorPair(texts.symbol);
  const { side, leverage } = texts;
  const price = parseFigure(texts.price, 'Price', 'above zero', asPrice);
  const size = parseFigure(texts.size, 'Size', 'zero', asSize);

  const shownFee = calculatorFee({ rules, feeRate });
  const circumstances = toCircumstances(terms, pair.orderPair, price.value);
  const calculation = calculateIfComplete<PositionInputs, PositionResult>(
    { side, price: price.value, size: size.value, leverage },
    (inputs) => circumstances && calculatePosition(circumstances, inputs),
  );
  const result = calculation?.result;
  const steps = getDisplaySteps(pair.filledFrom, pair.selected, price.value, size.value);
  const explained = explainPosition(side, { rules, feeRate, shownFee }, calculation, steps);
  const limits = pair.filledFrom?.limits;
  const rate = feePercent(shownFee.rate);

  return (
    <CalculatorCard
      title="Position Calculator"
      pair={pair}
      calculated={
        calculation && {
          side,
          size: calculation.inputs.size,
          leverage,
          entryPrice: calculation.inputs.price,
          exitPrice: null,
        }
      }
      footer={
        <dl>
          <Result name="Position value" explanation={explained.value}>
            <Amount value={toNumberOrNull(result?.value)} unit="USDT" />
          </Result>
          <Result name="Required margin" explanation={explained.requiredMargin}>
            <Amount value={toNumberOrNull(result?.requiredMargin)} unit="USDT" />
          </Result>
          <Result
            name="Liquidation price"
            explanation={explained.liquidationPrice}
            note={rules === 'as-specified' ? placeholderNote : null}
          >
            <Price value={toNumberOrNull(result?.liquidationPrice)} tickSize={steps.tickSize} />
          </Result>
          <Result
            name={rules === 'perpetual' ? 'Maintenance margin' : 'Maintenance margin, 5 %'}
            explanation={explained.maintenanceMargin}
          >
            <Amount value={toNumberOrNull(result?.maintenanceMargin)} unit="USDT" />
          </Result>
          <Result
            name={shownFee.isCharged ? `Trading fee, ${rate}` : `Estimated fee at ${rate} (not charged here)`}
            explanation={explained.fee}
          >
            <Amount value={toNumberOrNull(result?.fee)} {...(shownFee.isCharged && { unit: 'USDT' })} />
          </Result>
        </dl>
      }
    >
      <div className="flex items-start gap-2">
        <SideChoice side={side} onChange={(next) => change({ side: next })} />
        <FillButton calculator="position" pair={pair} fills="the price" />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <FigureField
          label="Price"
          text={texts.price}
          onChange={(next) => change({ price: next, still: null })}
          fault={price.fault}
          still={texts.still}
          unit={pair.filledFrom?.quoteAsset}
          step={limits?.tickSize ?? null}
        />
        <FigureField
          label="Size"
          text={texts.size}
          onChange={(next) => change({ size: next })}
          fault={size.fault}
          unit={pair.filledFrom?.baseAsset}
          step={limits?.stepSize ?? null}
        />
      </div>
      <div>
        <div className="flex items-baseline justify-between text-12 text-text-2">
          <span>Leverage</span>
          <output className="figures font-semibold text-text">{formatLeverage(leverage)}</output>
        </div>
        <Slider
          label="Leverage"
          min={MIN_LEVERAGE}
          max={MAX_LEVERAGE}
          step={1}
          value={leverage}
          onChange={(next) => change({ leverage: next })}
          stops={[MIN_LEVERAGE, MAX_LEVERAGE]}
          format={formatLeverage}
        />
      </div>
    </CalculatorCard>
  );
}
