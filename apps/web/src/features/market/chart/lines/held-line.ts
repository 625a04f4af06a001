/**
 * What becomes of a line that somebody takes hold of: a pure state with its transitions. Invariants: at most one line is
 * held; what the server says about a held or a sent line waits until it is let go or answered; a line whose command is under
 * way cannot be taken hold of again.
 */
import type { LinePlace, MovableLine, PillPart, PriceLine, Refusal } from './price-line.ts';

export type Holder = 'pointer' | 'keyboard';

export interface HeldLine {
  readonly line: MovableLine;
  /** It was pulled out of another line and is not there yet. */
  readonly isDraft: boolean;
  readonly by: Holder;
  readonly place: LinePlace;
}

interface SentLine {
  readonly line: MovableLine;
  readonly isDraft: boolean;
  readonly place: LinePlace;
  /** The server did it; the row that says so is on its way to the screen. */
  readonly isTaken: boolean;
}

export interface LinesState {
  /** As the account has them. */
  readonly source: readonly PriceLine[];
  readonly held: HeldLine | null;
  readonly sent: ReadonlyMap<string, SentLine>;
  /** Lines being taken away. */
  readonly leaving: ReadonlySet<string>;
}

export const noLines: LinesState = { source: [], held: null, sent: new Map(), leaving: new Set() };

const isBusy = ({ sent, leaving }: LinesState, id: string): boolean => sent.has(id) || leaving.has(id);

export function grab(
  state: LinesState,
  line: MovableLine,
  by: Holder,
  origin: { readonly isDraft: boolean } = { isDraft: false },
): LinesState {
  const { held } = state;
  // The pointer may take over what the keys hold.
  if (held?.line.id === line.id) return { ...state, held: { ...held, by } };
  if (held || isBusy(state, line.id)) return state;
  return { ...state, held: { line, by, isDraft: origin.isDraft, place: line.movement.at(line.price) } };
}

export function moveTo(state: LinesState, price: number): LinesState {
  const { held } = state;
  return held ? { ...state, held: { ...held, place: held.line.movement.at(price) } } : state;
}

export const putBack = (state: LinesState): LinesState => (state.held ? { ...state, held: null } : state);

export type Dropped =
  | { readonly kind: 'back' }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'sent'; readonly line: MovableLine; readonly place: LinePlace };

/** Lets the held line go: it is put back where the place will not do, else its command is to be sent. */
export function drop(state: LinesState): { readonly state: LinesState; readonly dropped: Dropped } {
  const { held } = state;
  if (!held) return { state, dropped: { kind: 'back' } };
  const { line, isDraft } = held;
  const free = putBack(state);
  // The market may have moved since the line did.
  const place = line.movement.at(held.place.price);
  if (!isDraft && place.price === line.price) return { state: free, dropped: { kind: 'back' } };
  if (place.fault !== null) return { state: free, dropped: { kind: 'refused', text: place.fault } };
  const sent = new Map(state.sent).set(line.id, { line, isDraft, place, isTaken: false });
  return { state: { ...free, sent }, dropped: { kind: 'sent', line, place } };
}

function without(state: LinesState, id: string): LinesState {
  if (!state.sent.has(id)) return state;
  const sent = new Map(state.sent);
  sent.delete(id);
  return { ...state, sent };
}

/** The server's answer to a sent line. A refused one is back where the account has it. */
export function answered(state: LinesState, id: string, refusal: Refusal): LinesState {
  const sent = state.sent.get(id);
  if (!sent) return state;
  const known = state.source.find((line) => line.id === id);
  if (refusal !== null || known?.price === sent.place.price) return without(state, id);
  return { ...state, sent: new Map(state.sent).set(id, { ...sent, isTaken: true }) };
}

/** No row came that a taken line waited for: the account is right. */
export const settled = (state: LinesState, id: string): LinesState =>
  state.sent.get(id)?.isTaken ? without(state, id) : state;

/** What the account says now; lines held or under way wait. */
export function linesCame(state: LinesState, source: readonly PriceLine[]): LinesState {
  const sent = new Map([...state.sent].filter(([, { isTaken }]) => !isTaken));
  const present = new Set(source.map(({ id }) => id));
  const leaving = new Set([...state.leaving].filter((id) => present.has(id)));
  return { ...state, source, sent, leaving };
}

export function leave(state: LinesState, id: string): LinesState {
  if (isBusy(state, id) || state.held?.line.id === id) return state;
  return { ...state, leaving: new Set(state.leaving).add(id) };
}

export function stay(state: LinesState, id: string): LinesState {
  const leaving = new Set(state.leaving);
  leaving.delete(id);
  return { ...state, leaving };
}

/** One line as it is to be seen now. */
export interface ShownLine {
  readonly line: PriceLine;
  readonly price: number;
  readonly priceText: string;
  readonly parts: () => readonly PillPart[];
  readonly name: string;
  readonly fault: string | null;
  readonly look: 'still' | 'held' | 'waiting';
  /** Where a held line was. */
  readonly ghost: number | null;
}

const asHeld = ({ line, isDraft, place }: HeldLine): ShownLine => ({
  ...place,
  line,
  parts: () => place.parts,
  look: 'held',
  ghost: isDraft ? null : line.price,
});
const asSent = ({ line, place }: SentLine): ShownLine => ({
  ...place,
  line,
  parts: () => place.parts,
  fault: null,
  look: 'waiting',
  ghost: null,
});
const asStill = (line: PriceLine, look: 'still' | 'waiting'): ShownLine => ({
  line,
  price: line.price,
  priceText: line.priceText,
  parts: line.parts,
  name: line.name,
  fault: null,
  look,
  ghost: null,
});

/** Held and sent lines stand where they were put, even when the account has lost them meanwhile. */
export function shownLines({ source, held, sent, leaving }: LinesState): readonly ShownLine[] {
  const moved = new Map([...sent].map(([id, line]) => [id, asSent(line)]));
  if (held) moved.set(held.line.id, asHeld(held));
  const present = source.map((line) => {
    const shown = moved.get(line.id) ?? asStill(line, leaving.has(line.id) ? 'waiting' : 'still');
    moved.delete(line.id);
    return shown;
  });
  return [...present, ...moved.values()];
}
