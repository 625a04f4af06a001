/**
 * Parses a calculator's field and describes its fault in two lengths: a short label, and a sentence for screen
 * readers. Invariant: an empty field is not wrong, it only gives no value.
 */
import { texts } from '@fulcrum/contract/texts';
import { isLeverage, MAX_LEVERAGE, MIN_LEVERAGE, toNumber, UNIT } from '@fulcrum/domain';
import { parseAmount } from '../../shared/decimals/amount.ts';
import { formatUnreadablePrice } from '../../shared/decimals/price.ts';

export interface Fault {
  readonly short: string;
  readonly sentence: string;
}
export interface ParsedField<Value> {
  /** Null without a usable value. */
  readonly value: Value | null;
  readonly fault: Fault | null;
}

const emptyField = { value: null, fault: null } as const;
const invalidField = (short: string, sentence: string) =>
  ({ value: null, fault: { short, sentence } }) as const;

/** Parses a price, size or sum in 1e-8. `name` begins the sentence; `least` decides whether zero is allowed (A89). */
export function parseFigure<Value extends bigint>(
  text: string,
  name: string,
  least: 'zero' | 'above zero',
  as: (units: bigint) => Value,
): ParsedField<Value> {
  const bound = least === 'zero' ? 'At least 0' : 'Above 0';
  const outside = invalidField(bound, `${name} must be ${bound.toLowerCase()}.`);
  const typed = parseAmount(text);
  switch (typed.kind) {
    case 'empty':
      return emptyField;
    case 'amount':
      return typed.size === 0n && least === 'above zero' ? outside : { value: as(typed.size), fault: null };
    case 'unreadable':
      if (typed.reason === 'negative') return outside;
      return invalidField(
        typed.reason === 'ambiguous' ? 'Comma unclear' : 'Not a number',
        formatUnreadablePrice(name, typed),
      );
  }
}

/** Parses a leverage: a whole number within the bounds (CALC-02). */
export function parseLeverage(text: string): ParsedField<number> {
  const typed = parseAmount(text);
  if (typed.kind === 'empty') return emptyField;
  const leverage = typed.kind === 'amount' && typed.size % UNIT === 0n ? toNumber(typed.size) : Number.NaN;
  return isLeverage(leverage)
    ? { value: leverage, fault: null }
    : invalidField(`${MIN_LEVERAGE}–${MAX_LEVERAGE}`, texts.leverageInvalid);
}

/** The inputs and their result. */
export interface Calculation<Inputs, Result> {
  readonly inputs: Inputs;
  readonly result: Result;
}

const isComplete = <Inputs extends object>(
  entered: {
    readonly [Name in keyof Inputs]: Inputs[Name] | null;
  },
): entered is Inputs => Object.values(entered).every((value) => value !== null);

/** Null unless every input is valid and they have a result (CALC-01). */
export function calculateIfComplete<Inputs extends object, Result>(
  entered: { readonly [Name in keyof Inputs]: Inputs[Name] | null },
  calculate: (inputs: Inputs) => Result | null,
): Calculation<Inputs, Result> | null {
  if (!isComplete<Inputs>(entered)) return null;
  const result = calculate(entered);
  return result === null ? null : { inputs: entered, result };
}
