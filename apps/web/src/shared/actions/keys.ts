/**
 * Parses key names and matches key presses. `B`, `?` and `Escape` are single keys, `Shift+B` and `Control+.` have modifiers, `g
 * d` is a sequence. On layouts without Latin letters a letter is matched by its position; a sign is matched by the typed
 * character, with or without Shift. Invariant: a modifier that is not named must not be pressed.
 */

import type { OwnKeys } from '../preferences/index.ts';

/** The fields of a keyboard event that identify the key. */
export interface Press {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const modifiers = ['Control', 'Meta', 'Alt', 'Shift'] as const;
type Modifier = (typeof modifiers)[number];
const isModifier = (name: string): name is Modifier => modifiers.some((modifier) => modifier === name);

/** Splits `Shift+B` into `Shift` and `B`; a single plus is the key of that sign. */
function parseStroke(stroke: string): { readonly key: string; readonly held: readonly Modifier[] } {
  const names = stroke.split('+');
  const held = names.slice(0, -1).filter(isModifier);
  return { key: names.at(-1) || '+', held };
}

const isLetter = (key: string): boolean => /^[a-z]$/i.test(key);
const isSign = (key: string): boolean => key.length === 1 && !isLetter(key);

function keyOf({ key, code }: Press): string {
  const isForeign = key.length === 1 && key.charCodeAt(0) > 127;
  return isForeign && code.startsWith('Key') ? code.slice(3) : key;
}

/** Whether `press` matches the combination, such as `Shift+B` or `/`. */
export function isStroke(stroke: string, press: Press): boolean {
  const { key, held } = parseStroke(stroke);
  if (keyOf(press).toLowerCase() !== key.toLowerCase()) return false;
  const isDown = { Control: press.ctrlKey, Meta: press.metaKey, Alt: press.altKey, Shift: press.shiftKey };
  // Many layouts need Shift to type a sign.
  return modifiers.every((name) => (name === 'Shift' && isSign(key)) || isDown[name] === held.includes(name));
}

/** The keys that perform the action now: those that the user chose for a trading action, or the given ones. */
export function keysOf(
  {
    id,
    keys,
    isTrading,
  }: { readonly id: string; readonly keys: readonly string[]; readonly isTrading?: true },
  own: OwnKeys,
): readonly string[] {
  const chosen = isTrading && Object.hasOwn(own, id) ? own[id] : undefined;
  return chosen === undefined ? keys : [chosen];
}

/** The key of a press, as combinations name it: `Shift+B`, `#`. */
export function toStroke(press: Press): string {
  const key = keyOf(press);
  if (!isLetter(key)) return key;
  return press.shiftKey ? `Shift+${key.toUpperCase()}` : key.toUpperCase();
}

export const splitSequence = (keys: string): readonly string[] => keys.split(' ');

/** The keys of a combination as printed on a keyboard: `Shift`, `B`. */
export function getKeyNames(stroke: string): readonly string[] {
  const { key, held } = parseStroke(stroke);
  return [
    ...held.map((name) => (name === 'Control' ? 'Ctrl' : name)),
    isLetter(key) ? key.toUpperCase() : key,
  ];
}

const sequenceMs = 1_500;

/**
 * Creates a reader that returns which of `candidates` a key press completes: null for none, the longest where several end with
 * it. An incomplete sequence expires after a second and a half.
 */
export function createKeyReader<Named extends { readonly keys: readonly string[] }>() {
  let begun: { readonly presses: readonly Press[]; readonly atMs: number } = { presses: [], atMs: 0 };

  return (press: Press, candidates: readonly Named[], nowMs: number): Named | null => {
    const before = nowMs - begun.atMs < sequenceMs ? begun.presses : [];
    const presses = [...before, press];
    let found: { readonly named: Named; readonly length: number } | null = null;
    let begins = false;
    for (const named of candidates) {
      for (const strokes of named.keys.map(splitSequence)) {
        const recent = presses.slice(-strokes.length);
        const ends =
          recent.length === strokes.length &&
          strokes.every((stroke, at) => matchesStroke(stroke, recent[at]));
        // Among equals the latest wins: a page's own key takes precedence over the shell's.
        if (ends && strokes.length >= (found?.length ?? 0)) found = { named, length: strokes.length };
        begins ||= strokes.length > 1 && isStroke(strokes[0] ?? '', press);
      }
    }
    begun =
      begins && !(found && found.length > 1) ? { presses: [press], atMs: nowMs } : { presses: [], atMs: 0 };
    return found?.named ?? null;
  };
}

const matchesStroke = (stroke: string, press: Press | undefined): boolean =>
  press !== undefined && isStroke(stroke, press);
