/**
 * The state of a dragged line: a pure state with its transitions.
 *
 * Invariants: at most one line is dragged. Server updates of a dragged or sent line wait until it is dropped or
 * answered. A line whose command is in flight cannot be dragged again.
 */
import type { CommandError, LineTarget, MovableLine, PillPart, PriceLine } from './price-line.ts';

export type DragInput = 'pointer' | 'keyboard';

export interface DraggedLine {
  readonly line: MovableLine;
  /** It was pulled out of another line and does not exist on the account yet. */
  readonly isDraft: boolean;
  readonly by: DragInput;
  readonly target: LineTarget;
}

interface SentLine {
  readonly line: MovableLine;
  readonly isDraft: boolean;
  readonly target: LineTarget;
  /** The server accepted the command; the updated row has not arrived yet. */
  readonly isAccepted: boolean;
}

export interface LinesState {
  /** The lines as the account has them. */
  readonly source: readonly PriceLine[];
  readonly dragged: DraggedLine | null;
  readonly sent: ReadonlyMap<string, SentLine>;
  /** Lines whose removal is in flight. */
  readonly removing: ReadonlySet<string>;
}

export const noLines: LinesState = { source: [], dragged: null, sent: new Map(), removing: new Set() };

const isBusy = ({ sent, removing }: LinesState, id: string): boolean => sent.has(id) || removing.has(id);

export function startDrag(
  state: LinesState,
  line: MovableLine,
  by: DragInput,
  origin: { readonly isDraft: boolean } = { isDraft: false },
): LinesState {
  const { dragged } = state;
  // The pointer may take over a line that the keyboard moves.
  if (dragged?.line.id === line.id) return { ...state, dragged: { ...dragged, by } };
  if (dragged || isBusy(state, line.id)) return state;
  return { ...state, dragged: { line, by, isDraft: origin.isDraft, target: line.movement.at(line.price) } };
}

export function dragTo(state: LinesState, price: number): LinesState {
  const { dragged } = state;
  return dragged ? { ...state, dragged: { ...dragged, target: dragged.line.movement.at(price) } } : state;
}

export const cancelDrag = (state: LinesState): LinesState =>
  state.dragged ? { ...state, dragged: null } : state;

export type DropResult =
  | { readonly kind: 'back' }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'sent'; readonly line: MovableLine; readonly target: LineTarget };

/** Drops the dragged line: it returns to its place if the new price is not valid, else its command is to be sent. */
export function dropLine(state: LinesState): { readonly state: LinesState; readonly dropped: DropResult } {
  const { dragged } = state;
  if (!dragged) return { state, dropped: { kind: 'back' } };
  const { line, isDraft } = dragged;
  const released = cancelDrag(state);
  // The market may have moved since the line did.
  const target = line.movement.at(dragged.target.price);
  if (!isDraft && target.price === line.price) return { state: released, dropped: { kind: 'back' } };
  if (target.fault !== null) return { state: released, dropped: { kind: 'refused', text: target.fault } };
  const sent = new Map(state.sent).set(line.id, { line, isDraft, target, isAccepted: false });
  return { state: { ...released, sent }, dropped: { kind: 'sent', line, target } };
}

function without(state: LinesState, id: string): LinesState {
  if (!state.sent.has(id)) return state;
  const sent = new Map(state.sent);
  sent.delete(id);
  return { ...state, sent };
}

/** Applies the server's answer to a sent line. A rejected line returns to the account's price. */
export function withAnswer(state: LinesState, id: string, refusal: CommandError): LinesState {
  const sent = state.sent.get(id);
  if (!sent) return state;
  const known = state.source.find((line) => line.id === id);
  if (refusal !== null || known?.price === sent.target.price) return without(state, id);
  return { ...state, sent: new Map(state.sent).set(id, { ...sent, isAccepted: true }) };
}

/** Drops accepted lines whose updated row did not arrive: the account's state applies. */
export const withoutAccepted = (state: LinesState, id: string): LinesState =>
  state.sent.get(id)?.isAccepted ? without(state, id) : state;

/** Takes over the account's lines; dragged and sent lines stay as they are. */
export function withSource(state: LinesState, source: readonly PriceLine[]): LinesState {
  const sent = new Map([...state.sent].filter(([, { isAccepted }]) => !isAccepted));
  const present = new Set(source.map(({ id }) => id));
  const removing = new Set([...state.removing].filter((id) => present.has(id)));
  return { ...state, source, sent, removing };
}

export function startRemoval(state: LinesState, id: string): LinesState {
  if (isBusy(state, id) || state.dragged?.line.id === id) return state;
  return { ...state, removing: new Set(state.removing).add(id) };
}

export function cancelRemoval(state: LinesState, id: string): LinesState {
  const removing = new Set(state.removing);
  removing.delete(id);
  return { ...state, removing };
}

/** One line as it is displayed now. */
export interface ShownLine {
  readonly line: PriceLine;
  readonly price: number;
  readonly priceText: string;
  readonly parts: () => readonly PillPart[];
  readonly name: string;
  readonly fault: string | null;
  readonly status: 'idle' | 'dragged' | 'pending';
  /** The price where a dragged line started. */
  readonly ghost: number | null;
}

const toDragged = ({ line, isDraft, target }: DraggedLine): ShownLine => ({
  ...target,
  line,
  parts: () => target.parts,
  status: 'dragged',
  ghost: isDraft ? null : line.price,
});
const toSent = ({ line, target }: SentLine): ShownLine => ({
  ...target,
  line,
  parts: () => target.parts,
  fault: null,
  status: 'pending',
  ghost: null,
});
const toIdle = (line: PriceLine, status: 'idle' | 'pending'): ShownLine => ({
  line,
  price: line.price,
  priceText: line.priceText,
  parts: line.parts,
  name: line.name,
  fault: null,
  status,
  ghost: null,
});

/**
 * Returns the lines to display. Dragged and sent lines stay where they were put, even after the account has lost
 * them.
 */
export function getShownLines({ source, dragged, sent, removing }: LinesState): readonly ShownLine[] {
  const moved = new Map([...sent].map(([id, line]) => [id, toSent(line)]));
  if (dragged) moved.set(dragged.line.id, toDragged(dragged));
  const present = source.map((line) => {
    const shown = moved.get(line.id) ?? toIdle(line, removing.has(line.id) ? 'pending' : 'idle');
    moved.delete(line.id);
    return shown;
  });
  return [...present, ...moved.values()];
}
