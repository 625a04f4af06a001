/**
 * Take profit and stop loss side by side, as prices or as distances, each with its result beneath: the fields that ticket
 * and dialog share.
 */
import {
  formatFixed,
  type PairLimits,
  type Price,
  priceDecimals,
  type Side,
  toNumber,
} from '@fulcrum/domain';
import { DecimalField } from '../../../shared/decimals/DecimalField.tsx';
import { parsePrice, stepPrice } from '../../../shared/decimals/price.ts';
import { formatPrice, Percent, Pnl } from '../../../shared/numbers/index.ts';
import type { Outcome } from './protection.ts';
import {
  type ProtectionField,
  type ProtectionUnit,
  protectionGrid,
  protectionUnitNames,
  protectionUnits,
  stepDistance,
} from './protection-units.ts';

const fields = [
  { field: 'takeProfit', label: 'Take Profit', inset: 'TP' },
  { field: 'stopLoss', label: 'Stop Loss', inset: 'SL' },
] as const satisfies readonly { field: ProtectionField; label: string; inset: string }[];

/** An outcome, rounded as displayed. */
export interface ShownOutcome {
  readonly pnl: number;
  readonly roe: number;
}
export const shownOutcome = (outcome: Outcome | null): ShownOutcome | null =>
  outcome && { pnl: toNumber(outcome.pnl), roe: toNumber(outcome.roe) };

/** The price of a distance, for one side or for both; a figure in display units. */
export type ShownPrices = Readonly<Partial<Record<Side, number | null>>>;

const suffixes = { price: undefined, percent: '%', roe: '% ROE', usdt: 'USDT' } as const;

interface ProtectionUnitSelectProps {
  readonly unit: ProtectionUnit;
  readonly onUnit: (unit: ProtectionUnit) => void;
  readonly className?: string;
}

/** A list rather than buttons: the longest form has no room for a row of its own. */
export function ProtectionUnitSelect({ unit, onUnit, className = '' }: ProtectionUnitSelectProps) {
  return (
    <select
      aria-label="Unit of take profit and stop loss"
      value={unit}
      onChange={(event) => onUnit(protectionUnits.find((known) => known === event.target.value) ?? 'price')}
      className={`control h-6 px-1.5 text-12 max-lg:h-9 pointer-coarse:text-16 ${className}`}
    >
      {protectionUnits.map((value) => (
        <option key={value} value={value}>
          {protectionUnitNames[value]}
        </option>
      ))}
    </select>
  );
}

interface ProtectionFieldsProps {
  readonly limits: PairLimits;
  readonly tickSize: number;
  readonly unit: ProtectionUnit;
  /** Shown beneath a distance. */
  readonly prices: Readonly<Record<ProtectionField, ShownPrices>>;
  readonly texts: Readonly<Record<ProtectionField, string>>;
  readonly onType: (field: ProtectionField, text: string) => void;
  readonly onSet: (field: ProtectionField, text: string) => void;
  /** The price where an arrow key starts in an empty field; null while it is not known. */
  readonly reference: () => Price | null;
  readonly outcomes: Readonly<Record<ProtectionField, ShownOutcome | null>>;
  readonly invalid: ProtectionField | null;
  readonly describedBy: string;
}

function OutcomeLine({ outcome }: { readonly outcome: ShownOutcome | null }) {
  return (
    <span className="flex h-4 items-center justify-between text-11">
      {outcome === null ? null : (
        <>
          <Pnl value={outcome.pnl} />
          <Percent value={outcome.roe} />
        </>
      )}
    </span>
  );
}

const sideTones = { BUY: 'text-up', SELL: 'text-down' } as const;
const sideTitles = { BUY: 'For a long', SELL: 'For a short' } as const;

function PriceLine({ prices, tickSize }: { readonly prices: ShownPrices; readonly tickSize: number }) {
  return (
    <span className="figures flex h-4 items-center justify-between text-11">
      {(['BUY', 'SELL'] as const).map((side) => {
        const price = prices[side];
        return price === null || price === undefined ? null : (
          <span key={side} title={sideTitles[side]} className={sideTones[side]}>
            <span className="sr-only">{sideTitles[side]} </span>
            {formatPrice(price, tickSize)}
          </span>
        );
      })}
    </span>
  );
}

export function ProtectionFields(props: ProtectionFieldsProps) {
  const { limits, tickSize, unit, prices, texts, onType, onSet } = props;
  const { reference, outcomes, invalid, describedBy } = props;
  const step = (field: ProtectionField, ticks: bigint) => {
    if (unit !== 'price') return onSet(field, stepDistance(texts[field], unit, ticks));
    const typed = parsePrice(texts[field]);
    const from = typed.kind === 'price' ? typed.price : reference();
    if (from === null) return;
    onSet(field, formatFixed(stepPrice(from, ticks, limits), priceDecimals(limits)));
  };
  return (
    <div className="grid grid-cols-2 gap-2">
      {fields.map(({ field, label, inset }) => (
        <DecimalField
          key={field}
          label={label}
          inset={inset}
          text={texts[field]}
          grid={protectionGrid(unit, limits)}
          unit={suffixes[unit]}
          onType={(text) => onType(field, text)}
          onStep={(ticks) => step(field, ticks)}
          placeholder="None"
          invalid={invalid === field}
          describedBy={describedBy}
        >
          {unit === 'price' ? null : <PriceLine prices={prices[field]} tickSize={tickSize} />}
          <OutcomeLine outcome={outcomes[field]} />
        </DecimalField>
      ))}
    </div>
  );
}
