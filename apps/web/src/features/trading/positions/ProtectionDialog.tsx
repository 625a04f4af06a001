/** Take profit and stop loss of an open position, with the result of each and the first invalid value. */
import {
  asPrice,
  formatFixed,
  type PairLimits,
  type Price,
  type Protection,
  parseDecimal,
  priceDecimals,
  rulesOf,
  toNumber,
} from '@fulcrum/domain';
import { useId, useState } from 'react';
import { sideLabel, toTerms } from '../../../shared/account/index.ts';
import type { ParsedPrice } from '../../../shared/decimals/price.ts';
import { Price as PriceFigure, Size } from '../../../shared/numbers/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, Dialog } from '../../../shared/ui/index.ts';
import { usePriceStream, useSampled } from '../../market/index.ts';
import { ProtectionFields, ProtectionUnitSelect, shownOutcome } from '../ticket/ProtectionFields.tsx';
import {
  getFaultField,
  getFaultText,
  getOutcome,
  getSideFault,
  protectionNames,
} from '../ticket/protection.ts';
import {
  formatProtection,
  formatUnreadable,
  type ProtectionField,
  type ProtectionUnit,
  parseProtection,
} from '../ticket/protection-units.ts';
import { getMark } from './figures.ts';
import { MarkPrice } from './PositionFigures.tsx';
import type { PositionDialogProps } from './panel-dialog.ts';
import type { Protecting } from './protecting.ts';

interface ProtectionDialogProps extends PositionDialogProps {
  readonly protecting: Protecting;
}

const hints = {
  price: 'An empty field sets none.',
  percent: 'Per cent of the entry price, before fees. An empty field sets none.',
  roe: 'Per cent of the margin, before fees. An empty field sets none.',
  usdt: 'USDT before fees. An empty field sets none.',
} as const satisfies Record<ProtectionUnit, string>;
const fields = { takeProfitPrice: 'takeProfit', stopLossPrice: 'stopLoss' } as const;
const exact = (price: number): Price => asPrice(parseDecimal(price));
const textOf = (price: number | null, limits: PairLimits): string =>
  price === null ? '' : formatFixed(exact(price), priceDecimals(limits));

/** A figure as it was typed. Shown in another unit it stays what it is: only typing changes it. */
interface Entry {
  readonly text: string;
  readonly unit: ProtectionUnit;
}

interface FieldError {
  readonly field: ProtectionField;
  readonly text: string;
}
type Typed = Readonly<Record<ProtectionField, ParsedPrice>>;
const priceIn = (typed: ParsedPrice): Price | null => (typed.kind === 'price' ? typed.price : null);
const protectionIn = (typed: Typed): Protection => ({
  takeProfitPrice: priceIn(typed.takeProfit),
  stopLossPrice: priceIn(typed.stopLoss),
});

/** The first fault at a mark price from the server; without a mark the server decides. */
function validate(
  position: Position,
  typed: Typed,
  { limits, unit, mark }: { limits: PairLimits; unit: ProtectionUnit; mark: number | null },
): FieldError | null {
  for (const which of ['takeProfitPrice', 'stopLossPrice'] as const) {
    const field = fields[which];
    const one = typed[field];
    if (one.kind === 'unreadable')
      return { field, text: formatUnreadable(protectionNames[which], one, unit) };
  }
  if (mark === null) return null;
  const liquidation = exact(position.liquidationPrice);
  const terms = { limits, reference: exact(mark), liquidation: { BUY: liquidation, SELL: liquidation } };
  const fault = getSideFault(position.side, terms, protectionIn(typed));
  return fault && { field: fields[getFaultField(fault)], text: getFaultText(fault, limits) };
}

export function ProtectionDialog({ position, steps, protecting, fallbackFocus }: ProtectionDialogProps) {
  const stream = usePriceStream();
  const { save, cancel, pending, error } = protecting;
  const { limits, tickSize, stepSize } = steps;
  const ruleId = useId();
  const [unit, setUnit] = useState<ProtectionUnit>('price');
  const [entries, setEntries] = useState<Readonly<Record<ProtectionField, Entry>>>({
    takeProfit: { text: textOf(position.takeProfitPrice, limits), unit: 'price' },
    stopLoss: { text: textOf(position.stopLossPrice, limits), unit: 'price' },
  });
  const rules = rulesOf(position.rules);
  const terms = { ...toTerms(position), rules };
  const parse = (field: ProtectionField) =>
    parseProtection(field, entries[field].text, { unit: entries[field].unit, terms, limits });
  const typed = { takeProfit: parse('takeProfit'), stopLoss: parse('stopLoss') };
  const textIn = (field: ProtectionField) => {
    const { text, unit: own } = entries[field];
    const price = priceIn(typed[field]);
    return own === unit || price === null ? text : formatProtection(field, price, { unit, terms, limits });
  };
  const priceOf = (field: ProtectionField) => {
    const price = priceIn(typed[field]);
    return { [position.side]: price === null ? null : toNumber(price) };
  };
  const wrong = useSampled(position.symbol, () =>
    validate(position, typed, { limits, unit, mark: getMark(stream, position) }),
  );
  const write = (field: ProtectionField, text: string) =>
    setEntries((held) => ({ ...held, [field]: { text, unit } }));
  const outcomeOf = (field: ProtectionField) => shownOutcome(getOutcome(rules, terms, priceIn(typed[field])));
  const reference = () => {
    const price = getMark(stream, position);
    return price === null ? null : exact(price);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || cancel()}
      fallbackFocus={fallbackFocus}
      title="Take profit and stop loss"
      description={
        <p className="mt-2 text-14">
          {position.symbol} {sideLabel(position.side).toLowerCase()}{' '}
          <Size value={position.size} stepSize={stepSize} className="font-medium text-text" />, entry{' '}
          <PriceFigure value={position.entryPrice} tickSize={tickSize} className="font-medium text-text" />,
          mark <MarkPrice {...position} tickSize={tickSize} className="font-medium text-text" />. Each closes
          the position by itself when the mark price reaches it.
        </p>
      }
      failure={error}
      actions={
        <>
          <Button onClick={cancel} muted={pending}>
            Cancel
          </Button>
          <Button
            tone="primary"
            onClick={() => save(protectionIn(typed))}
            pending={pending}
            muted={wrong !== null}
            aria-describedby={wrong ? ruleId : undefined}
          >
            Save
          </Button>
        </>
      }
    >
      <p className="mb-2 flex items-center justify-between text-12 text-text-2">
        Typed as
        <ProtectionUnitSelect unit={unit} onUnit={setUnit} />
      </p>
      <ProtectionFields
        limits={limits}
        tickSize={tickSize}
        unit={unit}
        prices={{ takeProfit: priceOf('takeProfit'), stopLoss: priceOf('stopLoss') }}
        texts={{ takeProfit: textIn('takeProfit'), stopLoss: textIn('stopLoss') }}
        onType={write}
        onSet={write}
        reference={reference}
        outcomes={{ takeProfit: outcomeOf('takeProfit'), stopLoss: outcomeOf('stopLoss') }}
        invalid={wrong?.field ?? null}
        describedBy={ruleId}
      />
      <p id={ruleId} className={`mt-2 min-h-8 text-12 leading-4 ${wrong ? 'text-down' : 'text-text-3'}`}>
        {wrong?.text ?? hints[unit]}
      </p>
    </Dialog>
  );
}
