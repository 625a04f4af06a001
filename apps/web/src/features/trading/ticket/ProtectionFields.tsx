/** Take profit and stop loss side by side, each with its result beneath: the fields that ticket and dialog share. */
import { formatFixed, type PairLimits, type Price, priceDecimals, toNumber } from '@fulcrum/domain';
import { DecimalField } from '../../../shared/decimals/DecimalField.tsx';
import { parsePrice, stepPrice } from '../../../shared/decimals/price.ts';
import { Percent, Pnl } from '../../../shared/numbers/index.ts';
import type { Outcome } from './protection.ts';

export type ProtectionField = 'takeProfit' | 'stopLoss';
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

interface ProtectionFieldsProps {
  readonly limits: PairLimits;
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

export function ProtectionFields(props: ProtectionFieldsProps) {
  const { limits, texts, onType, onSet, reference, outcomes, invalid, describedBy } = props;
  const step = (field: ProtectionField, ticks: bigint) => {
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
          grid={{ min: limits.minPrice, max: limits.maxPrice, step: limits.tickSize }}
          onType={(text) => onType(field, text)}
          onStep={(ticks) => step(field, ticks)}
          placeholder="None"
          invalid={invalid === field}
          describedBy={describedBy}
        >
          <OutcomeLine outcome={outcomes[field]} />
        </DecimalField>
      ))}
    </div>
  );
}
