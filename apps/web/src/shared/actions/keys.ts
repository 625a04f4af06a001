/**
 * Keys by name, and whether a press is one of them. `B`, `?` and `Escape` are single keys, `Shift+B` and `Control+.` carry
 * modifiers, `g d` is a sequence. A letter is found by its place on the keyboard where the layout has no Latin letters; a
 * sign is what the layout makes of the press, with Shift or without. Invariant: a modifier that is not named is not held.
 */

/** What of a keyboard event says which key it was. */
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

/** `Shift+B` as `Shift` and `B`; a plus alone is the key of that sign. */
function partsOf(stroke: string): { readonly key: string; readonly held: readonly Modifier[] } {
  const names = stroke.split('+');
  const held = names.slice(0, -1).filter(isModifier);
  return { key: names.at(-1) || '+', held };
}

const isLetter = (key: string): boolean => /^[a-z]$/i.test(key);
const isSign = (key: string): boolean => key.length === 1 && !isLetter(key);

function pressedKey({ key, code }: Press): string {
  const isForeign = key.length === 1 && key.charCodeAt(0) > 127;
  return isForeign && code.startsWith('Key') ? code.slice(3) : key;
}

/** Whether `press` is the stroke that `Shift+B` or `/` names. */
export function isStroke(stroke: string, press: Press): boolean {
  const { key, held } = partsOf(stroke);
  if (pressedKey(press).toLowerCase() !== key.toLowerCase()) return false;
  const pressed = { Control: press.ctrlKey, Meta: press.metaKey, Alt: press.altKey, Shift: press.shiftKey };
  // Shift is part of how many layouts write a sign.
  return modifiers.every(
    (name) => (name === 'Shift' && isSign(key)) || pressed[name] === held.includes(name),
  );
}

export const strokesOf = (keys: string): readonly string[] => keys.split(' ');

/** The single keys of a stroke as a keyboard has them printed: `Shift`, `B`. */
export function namesOf(stroke: string): readonly string[] {
  const { key, held } = partsOf(stroke);
  return [
    ...held.map((name) => (name === 'Control' ? 'Ctrl' : name)),
    isLetter(key) ? key.toUpperCase() : key,
  ];
}

const sequenceMs = 1_500;

/**
 * Follows presses and answers which of `candidates` one completes: null for none, the longest where several end with it.
 * The beginning of a sequence is forgotten after a second and a half.
 */
export function createKeyReader<Named extends { readonly keys: readonly string[] }>() {
  let begun: { readonly presses: readonly Press[]; readonly atMs: number } = { presses: [], atMs: 0 };

  return (press: Press, candidates: readonly Named[], nowMs: number): Named | null => {
    const before = nowMs - begun.atMs < sequenceMs ? begun.presses : [];
    const presses = [...before, press];
    let found: { readonly named: Named; readonly length: number } | null = null;
    let begins = false;
    for (const named of candidates) {
      for (const strokes of named.keys.map(strokesOf)) {
        const recent = presses.slice(-strokes.length);
        const ends =
          recent.length === strokes.length && strokes.every((stroke, at) => fits(stroke, recent[at]));
        // Among equals the latest wins: a page's own key stands before the shell's.
        if (ends && strokes.length >= (found?.length ?? 0)) found = { named, length: strokes.length };
        begins ||= strokes.length > 1 && isStroke(strokes[0] ?? '', press);
      }
    }
    begun =
      begins && !(found && found.length > 1) ? { presses: [press], atMs: nowMs } : { presses: [], atMs: 0 };
    return found?.named ?? null;
  };
}

const fits = (stroke: string, press: Press | undefined): boolean =>
  press !== undefined && isStroke(stroke, press);
