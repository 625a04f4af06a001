/**
 * A level over the candles as the chart knows it: where it stands, what its pill says, and, where it may be moved or taken
 * away, what that means. The chart knows nothing of accounts: every figure and every command comes with the line.
 * Invariant: a line keeps its id while it is the same thing, whatever its price; that is how a moved line is known again.
 */
import type { Direction } from '../../../../shared/numbers/index.ts';

export interface PillPart {
  readonly text: string;
  readonly tone: Direction;
  /** What is left of it on a narrow chart, '' for nothing; the whole of it without. */
  readonly narrowText?: string;
}

/** A line at a price that it might be moved to. */
export interface LinePlace {
  /** On the pair's grid. */
  readonly price: number;
  readonly priceText: string;
  readonly parts: readonly PillPart[];
  /** For whoever does not see the pill. */
  readonly name: string;
  /** The text of the rule that keeps the line from staying there. */
  readonly fault: string | null;
}

/** The text of a refusal for the user, or null when the server did it. Never rejects. */
export type Refusal = string | null;

export interface LineMovement {
  /** The place on the grid that is nearest to a price. */
  readonly at: (price: number) => LinePlace;
  /** The price so many ticks further up. */
  readonly step: (price: number, ticks: number) => number;
  readonly send: (price: number) => Promise<Refusal>;
}

/** What the × of a pill does: sends a command, or asks first. */
export type Dismissal =
  | { readonly kind: 'command'; readonly name: string; readonly send: () => Promise<Refusal> }
  | { readonly kind: 'question'; readonly name: string; readonly ask: () => void };

interface Level {
  readonly id: string;
  readonly side: 'LONG' | 'SHORT';
  readonly price: number;
  /** The axis tag's text: the price in its tick. */
  readonly priceText: string;
  /** The pill's first part, such as `LONG 50×`. */
  readonly head: string;
  /** Read at each drawing, which every tick causes. */
  readonly parts: () => readonly PillPart[];
  readonly name: string;
}

/** A line that can be had by pulling it out of another one. */
export interface LineHandle {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  /** Where it starts without a pointer, for the prices of that moment. */
  readonly draft: () => MovableLine;
}

export interface EntryLine extends Level {
  readonly kind: 'entry';
  /** In the base asset. */
  readonly size: number;
  /** USDT; null while there is no price. */
  readonly pnl: () => number | null;
  /** A price of the pair as text. */
  readonly formatPrice: (price: number) => string;
  readonly handles: readonly LineHandle[];
  readonly dismissal: Dismissal | null;
}

export interface LiquidationLine extends Level {
  readonly kind: 'liquidation';
}

export interface MovableLine extends Level {
  readonly kind: 'takeProfit' | 'stopLoss' | 'order';
  readonly movement: LineMovement;
  /** Null for a line that is not there yet. */
  readonly dismissal: Dismissal | null;
}

export type PriceLine = EntryLine | LiquidationLine | MovableLine;
export type LineKind = PriceLine['kind'];

export const isMovable = (line: PriceLine): line is MovableLine =>
  line.kind === 'takeProfit' || line.kind === 'stopLoss' || line.kind === 'order';
