/**
 * The calculators' formulas in words and with the figures of the moment. The results are the domain's; a formula reads as
 * the specification states it, except where a rule set leaves its letter (A04, A06).
 */
import {
  type FeeRate,
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
import type { Known } from './figures.ts';
import type { ShownSteps } from './steps.ts';

const money = (units: bigint) => `${formatAmount(toNumber(units))} USDT`;
const priceIn =
  ({ tickSize }: ShownSteps) =>
  (units: bigint) =>
    formatPrice(toNumber(units), tickSize);
const sizeIn =
  ({ stepSize, baseAsset }: ShownSteps) =>
  (units: bigint) =>
    `${formatSize(toNumber(units), stepSize)}${baseAsset === null ? '' : ` ${baseAsset}`}`;

const positionSizeNotes = {
  standard: 'The amount of an order that makes this profit or loss. ‘Use in order form’ fills it in.',
  // A close multiplies by leverage itself (A01).
  'as-specified':
    '‘Use in order form’ fills in the size itself: under the stated formulas a close multiplies it by leverage.',
} as const satisfies Record<RuleSetName, string>;

export function explainPnl(
  rules: RuleSetName,
  side: PnlInputs['side'],
  known: Known<PnlInputs, PnlResult> | null,
  steps: ShownSteps,
): Record<'pnl' | 'roi' | 'positionSize', Explanation> {
  const [price, size] = [priceIn(steps), sizeIn(steps)];
  const [from, to] = side === 'BUY' ? (['entry', 'exit'] as const) : (['exit', 'entry'] as const);
  const at = known && { entry: price(known.inputs.entryPrice), exit: price(known.inputs.exitPrice) };
  const gain = known && formatAmount(toNumber(known.result.pnl), 'always');
  return {
    pnl: {
      formula: `(${to === 'exit' ? 'Exit' : 'Entry'} − ${from}) × size × leverage`,
      figures:
        known && at
          ? `(${at[to]} − ${at[from]}) × ${size(known.inputs.size)} × ${known.inputs.leverage} = ${gain} USDT`
          : null,
      note: 'Before fees. Size is your stake; leverage multiplies it. A position loses its margin at most.',
    },
    roi: {
      formula: 'Profit or loss ÷ (entry × size)',
      figures:
        known && at
          ? `${gain} ÷ (${at.entry} × ${size(known.inputs.size)}) = ${formatPercent(toNumber(known.result.roi))}`
          : null,
      note: 'Of the stake at the entry price.',
    },
    positionSize: {
      formula: 'Size × leverage',
      figures: known
        ? `${size(known.inputs.size)} × ${known.inputs.leverage} = ${size(known.result.positionSize)}`
        : null,
      note: positionSizeNotes[rules],
    },
  };
}

/** What the size leaves out: a liquidation that comes before the stop, else the fees on the way. */
function besideStop(outlook: StopOutlook | null, feeRate: FeeRate, price: (units: bigint) => string): string {
  if (outlook !== null && outlook.liquidatedAt !== null) {
    return `But the position is liquidated at ${price(outlook.liquidatedAt)}, before it comes to the stop: use less leverage.`;
  }
  if (feeRate === 0n) return '';
  const together = outlook === null ? '' : `, ${money(outlook.fees)} in all`;
  return `The fees of opening and close come on top${together}.`;
}

export function explainRisk(
  { rules, feeRate }: { readonly rules: RuleSetName; readonly feeRate: FeeRate },
  known: Known<RiskInputs, RiskResult> | null,
  outlook: StopOutlook | null,
  steps: ShownSteps,
): Record<'riskAmount' | 'positionSize' | 'margin', Explanation> {
  const [price, size] = [priceIn(steps), sizeIn(steps)];
  const isLiteral = rules === 'as-specified';
  const [leveraged, leverageNote] = isLiteral
    ? ([
        ' × leverage',
        'As specified, the size is multiplied by leverage: at the stop it loses more than the risk amount.',
      ] as const)
    : (['', 'At the stop a position of this size loses the risk amount, whatever its leverage.'] as const);
  const factor = known && isLiteral ? ` × ${known.inputs.leverage}` : '';
  return {
    riskAmount: {
      formula: 'Account × risk',
      figures:
        known &&
        `${money(known.inputs.account)} × ${formatFigure(toNumber(known.inputs.riskPercent), 1)} % = ${money(known.result.riskAmount)}`,
      note: 'What this trade may lose.',
    },
    positionSize: {
      formula: `Risk amount ÷ |entry − stop|${leveraged}`,
      figures:
        known &&
        `${money(known.result.riskAmount)} ÷ |${price(known.inputs.entryPrice)} − ${price(known.inputs.stopPrice)}|${factor} = ${size(known.result.positionSize)}`,
      note: `${leverageNote} ${besideStop(outlook, feeRate, price)}`.trim(),
    },
    margin: {
      formula: 'Size × entry ÷ leverage',
      figures:
        known &&
        `${size(known.result.positionSize)} × ${price(known.inputs.entryPrice)} ÷ ${known.inputs.leverage} = ${money(known.result.margin)}`,
      note: known?.result.exceedsAccount
        ? 'More than the account holds: such an order would be refused. More leverage needs less margin, a stop farther away a smaller size.'
        : 'Locked while the position is open.',
    },
  };
}

export interface PositionExplained {
  readonly rules: RuleSetName;
  /** What the server charges. */
  readonly feeRate: FeeRate;
  /** What the fee line is reckoned at. */
  readonly shownFee: { readonly rate: FeeRate; readonly isCharged: boolean };
}

export function explainPosition(
  side: PositionInputs['side'],
  { rules, feeRate, shownFee }: PositionExplained,
  known: Known<PositionInputs, PositionResult> | null,
  steps: ShownSteps,
): Record<'value' | 'requiredMargin' | 'liquidationPrice' | 'maintenanceMargin' | 'fee', Explanation> {
  const [price, size] = [priceIn(steps), sizeIn(steps)];
  const rate = feePercent(shownFee.rate);
  const liquidation: Explanation =
    rules === 'as-specified'
      ? {
          formula: '0.8 × entry',
          figures: known && `0.8 × ${price(known.inputs.price)} = ${price(known.result.liquidationPrice)}`,
          note: 'A placeholder, not the engine’s liquidation price: that one depends on side and leverage and stands in the order form.',
        }
      : {
          formula: liquidationFormula(side, rules, feeRate),
          figures:
            known &&
            liquidationFigures(
              side,
              { rules: rulesOf(rules), price: known.inputs.price, leverage: known.inputs.leverage, feeRate },
              known.result.liquidationPrice,
              steps,
            ),
          note: 'At this mark price margin and PnL come to the maintenance margin, and the position is liquidated. Rounded to the tick towards the entry.',
        };
  return {
    value: {
      formula: 'Price × size',
      figures:
        known && `${price(known.inputs.price)} × ${size(known.inputs.size)} = ${money(known.result.value)}`,
      note: 'One quote unit of movement is one USDT per unit of size.',
    },
    requiredMargin: {
      formula: 'Position value ÷ leverage',
      figures:
        known &&
        `${money(known.result.value)} ÷ ${known.inputs.leverage} = ${money(known.result.requiredMargin)}`,
      note: 'Locked while the position is open, and the most that it can lose.',
    },
    liquidationPrice: liquidation,
    maintenanceMargin: {
      formula: '5 % × required margin',
      figures:
        known && `5 % × ${money(known.result.requiredMargin)} = ${money(known.result.maintenanceMargin)}`,
      note: 'What has to be left of the margin; with less the position is liquidated.',
    },
    fee: {
      formula: `${rate} × position value`,
      figures: known && `${rate} × ${money(known.result.value)} = ${money(known.result.fee)}`,
      note: shownFee.isCharged
        ? 'Charged at the opening; the close is charged as much of its own value.'
        : 'An estimate of what a venue might charge. This server does not charge it.',
    },
  };
}
