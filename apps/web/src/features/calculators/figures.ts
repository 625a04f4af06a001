/**
 * Reads what stands in a calculator's field, and says in two lengths what is wrong with it: a word or two beside the label,
 * a sentence for whoever hears it. Invariant: an empty field is not wrong, it only gives no value.
 */
import { texts } from '@fulcrum/contract/texts';
import { isLeverage, toNumber, UNIT } from '@fulcrum/domain';
import { readAmount } from '../../shared/decimals/amount.ts';
import { unreadablePriceText } from '../../shared/decimals/price.ts';

export interface Fault {
  readonly short: string;
  readonly sentence: string;
}
export interface Read<Value> {
  /** Null while there is none that can be reckoned with. */
  readonly value: Value | null;
  readonly fault: Fault | null;
}

const nothing = { value: null, fault: null } as const;
const wrong = (short: string, sentence: string) => ({ value: null, fault: { short, sentence } }) as const;

/** A price, size or sum in 1e-8. `name` begins the sentence; `least` says whether zero can be one (A89). */
export function readFigure<Value extends bigint>(
  text: string,
  name: string,
  least: 'zero' | 'above zero',
  as: (units: bigint) => Value,
): Read<Value> {
  const bound = least === 'zero' ? 'At least 0' : 'Above 0';
  const outside = wrong(bound, `${name} must be ${bound.toLowerCase()}.`);
  const typed = readAmount(text);
  switch (typed.kind) {
    case 'empty':
      return nothing;
    case 'amount':
      return typed.size === 0n && least === 'above zero' ? outside : { value: as(typed.size), fault: null };
    case 'unreadable':
      if (typed.reason === 'negative') return outside;
      return wrong(
        typed.reason === 'ambiguous' ? 'Comma unclear' : 'Not a number',
        unreadablePriceText(name, typed),
      );
  }
}

/** CALC-02. */
export function readLeverage(text: string): Read<number> {
  const typed = readAmount(text);
  if (typed.kind === 'empty') return nothing;
  const leverage = typed.kind === 'amount' && typed.size % UNIT === 0n ? toNumber(typed.size) : Number.NaN;
  return isLeverage(leverage) ? { value: leverage, fault: null } : wrong('1–125', texts.leverageInvalid);
}

/** What was entered and what came of it. */
export interface Known<Inputs, Result> {
  readonly inputs: Inputs;
  readonly result: Result;
}

const isWhole = <Inputs extends object>(
  entered: {
    readonly [Name in keyof Inputs]: Inputs[Name] | null;
  },
): entered is Inputs => Object.values(entered).every((value) => value !== null);

/** CALC-01: null unless every input is there and they have a result. */
export function workOut<Inputs extends object, Result>(
  entered: { readonly [Name in keyof Inputs]: Inputs[Name] | null },
  calculate: (inputs: Inputs) => Result | null,
): Known<Inputs, Result> | null {
  if (!isWhole<Inputs>(entered)) return null;
  const result = calculate(entered);
  return result === null ? null : { inputs: entered, result };
}

/** For a figure on screen. */
export const numberOf = (units: bigint | undefined): number | null =>
  units === undefined ? null : toNumber(units);
