/**
 * A key press as the user's own key of a trading action. Pure. Invariant: it begins no combination of another action, so that no
 * press is ambiguous.
 */
import { isOwnKey, type OwnKeys } from '../preferences/index.ts';
import type { Action } from './actions.ts';
import { isStroke, keysOf, type Press, splitSequence, toStroke } from './keys.ts';

type Choice =
  | { readonly kind: 'chosen'; readonly stroke: string }
  /** A modifier alone, or a key that leaves the field. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: string };

const passing: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'AltGraph',
  'Tab',
  'Escape',
]);

/** The new key of `action` among `all`, or why it cannot be one. */
export function chooseKey(press: Press, action: Action, all: readonly Action[], own: OwnKeys): Choice {
  if (passing.has(press.key)) return { kind: 'none' };
  const stroke = toStroke(press);
  if (press.ctrlKey || press.metaKey || press.altKey || !isOwnKey(stroke))
    return { kind: 'refused', reason: 'Press a letter, with or without Shift, or a sign.' };
  const isTaken = (one: Action) =>
    keysOf(one, own).some((keys) => isStroke(splitSequence(keys)[0] ?? '', press));
  const other = all.find((one) => one.id !== action.id && isTaken(one));
  if (other)
    return { kind: 'refused', reason: `${stroke} is the key of '${other.label}'. Press another one.` };
  return { kind: 'chosen', stroke };
}

/** The chosen keys with `stroke` for the action; without it where the action has that key anyway. */
export function withOwnKey(own: OwnKeys, { id, keys }: Action, stroke: string): OwnKeys {
  const { [id]: _before, ...others } = own;
  return keys.length === 1 && keys[0] === stroke ? others : { ...others, [id]: stroke };
}
