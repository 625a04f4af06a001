/**
 * The calculators' formulas in words and with the present figures. The results are the domain's. A formula reads as
 * the specification states it, except where a rule set departs from its letter (A04, A06, A113).
 */
import {
  type FeeRate,
  type MainRuleSetName,
  type PnlInputs,
  type PnlResult,
  type PositionInputs,
  type PositionResult,
  type RiskInputs,
  type RiskResult,
  type RuleSetName,
  rulesOf,
  type StopOutlook,
  toNumber,
} from '@fulcrum/domain';
import {
  type Explanation,
  feePercent,
  liquidationFigures,
  liquidationFormula,
} from '../../shared/explained/explanation.ts';
import {
  formatAmount,
  formatFigure,
  formatPercent,
  formatPrice,
  formatSize,
} from '../../shared/numbers/index.ts';
import type { DisplaySteps } from './display-steps.ts';
import type { Calculation } from './field-parsing.ts';

const money = (units: bigint) => `${formatAmount(toNumber(units))} USDT`;
const createPriceFormatter =
  ({ tickSize }: DisplaySteps) =>
  (units: bigint) =>
    formatPrice(toNumber(units), tickSize);
const createSizeFormatter =
  ({ stepSize, baseAsset }: DisplaySteps) =>
  (units: bigint) =>
    `${formatSize(toNumber(units), stepSize)}${baseAsset === null ? '' : ` ${baseAsset}`}`;

const positionSizeNotes = {
  standard: 'The amount of an order that makes this profit or loss. ‘Use in order form’ fills it in.',
  // A close multiplies by leverage itself (A01).
  'as-specified':
    '‘Use in order form’ fills in the size itself: under the stated formulas a close multiplies it by leverage.',
} as const satisfies Record<MainRuleSetName, string>;

export function explainPnl(
  rules: MainRuleSetName,
  side: PnlInputs['side'],
  calculation: Calculation<PnlInputs, PnlResult> | null,
  steps: DisplaySteps,
): Record<'pnl' | 'roi' | 'positionSize', Explanation> {
  const [price, size] = [createPriceFormatter(steps), createSizeFormatter(steps)];
  const [from, to] = side === 'BUY' ? (['entry', 'exit'] as const) : (['exit', 'entry'] as const);
  const at = calculation && {
    entry: price(calculation.inputs.entryPrice),
    exit: price(calculation.inputs.exitPrice),
  };
  const gain = calculation && formatAmount(toNumber(calculation.result.pnl), 'always');
  return {
    pnl: {
      formula: `(${to === 'exit' ? 'Exit' : 'Entry'} − ${from}) × size × leverage`,
      figures:
        calculation && at
          ? `(${at[to]} − ${at[from]}) × ${size(calculation.inputs.size)} × ${calculation.inputs.leverage} = ${gain} USDT`
          : null,
      note: 'Before fees. Size is your stake; leverage multiplies it. A position loses its margin at most.',
    },
    roi: {
      formula: 'Profit or loss ÷ (entry × size)',
      figures:
        calculation && at
          ? `${gain} ÷ (${at.entry} × ${size(calculation.inputs.size)}) = ${formatPercent(toNumber(calculation.result.roi))}`
          : null,
      note: 'Of the stake at the entry price.',
    },
    positionSize: {
      formula: 'Size × leverage',
      figures: calculation
        ? `${size(calculation.inputs.size)} × ${calculation.inputs.leverage} = ${size(calculation.result.positionSize)}`
        : null,
      note: positionSizeNotes[rules],
    },
  };
}

/** The part that the size ignores: a liquidation before the stop, else the fees. */
function besideStop(outlook: StopOutlook | null, feeRate: FeeRate, price: (units: bigint) => string): string {
  if (outlook !== null && outlook.liquidatedAt !== null) {
    return `But the position is liquidated at ${price(outlook.liquidatedAt)}, before it comes to the stop: use less leverage.`;
  }
  if (feeRate === 0n) return '';
  const together = outlook === null ? '' : `, ${money(outlook.fees)} in all`;
  return `The fees of opening and close come on top${together}.`;
}

export function explainRisk(
  { rules, feeRate }: { readonly rules: MainRuleSetName; readonly feeRate: FeeRate },
  calculation: Calculation<RiskInputs, RiskResult> | null,
  outlook: StopOutlook | null,
  steps: DisplaySteps,
): Record<'riskAmount' | 'positionSize' | 'margin', Explanation> {
  const [price, size] = [createPriceFormatter(steps), createSizeFormatter(steps)];
  const isLiteral = rules === 'as-specified';
  const [leveraged, leverageNote] = isLiteral
    ? ([
        ' × leverage',
        'As specified, the size is multiplied by leverage: at the stop it loses more than the risk amount.',
      ] as const)
    : (['', 'At the stop a position of this size loses the risk amount, whatever its leverage.'] as const);
  const factor = calculation && isLiteral ? ` × ${calculation.inputs.leverage}` : '';
  return {
    riskAmount: {
      formula: 'Account × risk',
      figures:
        calculation &&
        `${money(calculation.inputs.account)} × ${formatFigure(toNumber(calculation.inputs.riskPercent), 1)} % = ${money(calculation.result.riskAmount)}`,
      note: 'What this trade may lose.',
    },
    positionSize: {
      formula: `Risk amount ÷ |entry − stop|${leveraged}`,
      figures:
        calculation &&
        `${money(calculation.result.riskAmount)} ÷ |${price(calculation.inputs.entryPrice)} − ${price(calculation.inputs.stopPrice)}|${factor} = ${size(calculation.result.positionSize)}`,
      note: `${leverageNote} ${besideStop(outlook, feeRate, price)}`.trim(),
    },
    margin: {
      formula: 'Size × entry ÷ leverage',
      figures:
        calculation &&
        `${size(calculation.result.positionSize)} × ${price(calculation.inputs.entryPrice)} ÷ ${calculation.inputs.leverage} = ${money(calculation.result.margin)}`,
      note: calculation?.result.exceedsAccount
        ? 'More than the account holds: such an order would be refused. More leverage needs less margin, a stop farther away a smaller size.'
        : 'Locked while the position is open.',
    },
  };
}

/** Of a net position: rate and amount of its bracket follow from the value (A113). */
function explainNetMargin(
  side: PositionInputs['side'],
  calculation: Calculation<PositionInputs, PositionResult> | null,
  steps: DisplaySteps,
): Record<'liquidationPrice' | 'maintenanceMargin', Explanation> {
  const [price, size] = [createPriceFormatter(steps), createSizeFormatter(steps)];
  const sign = side === 'BUY' ? '−' : '+';
  const bracket = calculation?.result.bracket;
  const at = calculation &&
    bracket && {
      ...calculation.result,
      size: size(calculation.inputs.size),
      rate: `${Number(bracket.mmr) / 100} %`,
      amount: money(bracket.cum),
    };
  return {
    liquidationPrice: {
      formula: `(Value ${sign} margin ${sign} maintenance amount) ÷ (size × (1 ${sign} maintenance rate))`,
      figures: at
        ? `(${money(at.value)} ${sign} ${money(at.requiredMargin)} ${sign} ${at.amount}) ÷ (${at.size} × (1 ${sign} ${at.rate})) = ${price(at.liquidationPrice)}`
        : null,
      note: 'At this mark price margin and PnL come to the maintenance margin, and the position is liquidated. Rounded to the tick towards the entry. With an open position of the pair it becomes one position, which is liquidated at another price.',
    },
    maintenanceMargin: {
      formula: 'Value × maintenance rate − maintenance amount',
      figures: at ? `${money(at.value)} × ${at.rate} − ${at.amount} = ${money(at.maintenanceMargin)}` : null,
      note: 'What has to be left of the margin; with less the position is liquidated. It follows the value, and a larger position has a higher rate.',
    },
  };
}

export interface PositionExplanationInput {
  readonly rules: RuleSetName;
  /** The account's fee rate. */
  readonly feeRate: FeeRate;
  /** The base of the fee line. */
  readonly shownFee: { readonly rate: FeeRate; readonly isCharged: boolean };
}

export function explainPosition(
  side: PositionInputs['side'],
  { rules, feeRate, shownFee }: PositionExplanationInput,
  calculation: Calculation<PositionInputs, PositionResult> | null,
  steps: DisplaySteps,
): Record<'value' | 'requiredMargin' | 'liquidationPrice' | 'maintenanceMargin' | 'fee', Explanation> {
  const [price, size] = [createPriceFormatter(steps), createSizeFormatter(steps)];
  const rate = feePercent(shownFee.rate);
  const liquidation: Explanation =
    rules === 'as-specified'
      ? {
          formula: '0.8 × entry',
          figures:
            calculation &&
            `0.8 × ${price(calculation.inputs.price)} = ${price(calculation.result.liquidationPrice)}`,
          note: 'A placeholder, not the engine’s liquidation price: that one depends on side and leverage and is shown in the order form.',
        }
      : {
          formula: liquidationFormula(side, rules, feeRate),
          figures:
            calculation &&
            liquidationFigures(
              side,
              {
                rules: rulesOf(rules),
                price: calculation.inputs.price,
                leverage: calculation.inputs.leverage,
                feeRate,
              },
              calculation.result.liquidationPrice,
              steps,
            ),
          note: 'At this mark price margin and PnL come to the maintenance margin, and the position is liquidated. Rounded to the tick towards the entry.',
        };
  return {
    value: {
      formula: 'Price × size',
      figures:
        calculation &&
        `${price(calculation.inputs.price)} × ${size(calculation.inputs.size)} = ${money(calculation.result.value)}`,
      note: 'One quote unit of movement is one USDT per unit of size.',
    },
    requiredMargin: {
      formula: 'Position value ÷ leverage',
      figures:
        calculation &&
        `${money(calculation.result.value)} ÷ ${calculation.inputs.leverage} = ${money(calculation.result.requiredMargin)}`,
      note: 'Locked while the position is open, and the most that it can lose.',
    },
    liquidationPrice: liquidation,
    maintenanceMargin: {
      formula: '5 % × required margin',
      figures:
        calculation &&
        `5 % × ${money(calculation.result.requiredMargin)} = ${money(calculation.result.maintenanceMargin)}`,
      note: 'What has to be left of the margin; with less the position is liquidated.',
    },
    fee: {
      formula: `${rate} × position value`,
      figures:
        calculation && `${rate} × ${money(calculation.result.value)} = ${money(calculation.result.fee)}`,
      note: shownFee.isCharged
        ? 'Charged at opening; closing costs the same share of its own value.'
        : 'An estimate of what a venue might charge. This server does not charge it.',
    },
    ...(rules === 'perpetual' && explainNetMargin(side, calculation, steps)),
  };
}
