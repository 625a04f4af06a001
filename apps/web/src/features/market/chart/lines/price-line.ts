/**
 * A level over the candles as the chart sees it: its price, its pill's label, and how it moves or is removed. The
 * chart knows nothing of accounts: every figure and every command comes with the line.
 *
 * Invariant: a line has one id for its whole life, whatever its price, so that a moved line is recognised.
 */
import type { Direction } from '../../../../shared/numbers/index.ts';

export interface PillPart {
  readonly text: string;
  readonly tone: Direction;
  /** The shorter text on a narrow chart, '' for none; without it, the whole text. */
  readonly narrowText?: string;
}

/** A line at a price that it might move to. */
export interface LineTarget {
  /** On the pair's grid. */
  readonly price: number;
  readonly priceText: string;
  readonly parts: readonly PillPart[];
  /** The accessible name. */
  readonly name: string;
  /** The text of the rule that rejects this price; null if it is valid. */
  readonly fault: string | null;
}

/** The text of a refusal for the user, or null on success. Never rejects. */
export type CommandError = string | null;

export interface LineMovement {
  /** The valid price nearest to a given one. */
  readonly at: (price: number) => LineTarget;
  /** The price that many ticks higher. */
  readonly step: (price: number, ticks: number) => number;
  readonly send: (price: number) => Promise<CommandError>;
}

/** What the × of a pill does: sends a command, or opens a confirmation. */
export type Dismissal =
  | { readonly kind: 'command'; readonly name: string; readonly send: () => Promise<CommandError> }
  | { readonly kind: 'question'; readonly name: string; readonly ask: () => void };

interface Level {
  readonly id: string;
  readonly side: 'LONG' | 'SHORT';
  readonly price: number;
  /** The axis tag's text: the price in its tick. */
  readonly priceText: string;
  /** The pill's first part, such as `LONG 50×`. */
  readonly head: string;
  /** Read at each drawing, which every tick triggers. */
  readonly parts: () => readonly PillPart[];
  readonly name: string;
}

/** A line that is created by dragging it out of another one. */
export interface LineHandle {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  /** Its initial line for the keyboard, at current prices. */
  readonly draft: () => MovableLine;
}

export interface EntryLine extends Level {
  readonly kind: 'entry';
  /** In the base asset. */
  readonly size: number;
  /** USDT; null while there is no price. */
  readonly pnl: () => number | null;
  /** Formats a price of the pair. */
  readonly formatPrice: (price: number) => string;
  readonly handles: readonly LineHandle[];
  readonly dismissal: Dismissal | null;
}

export interface LiquidationLine extends Level {
  readonly kind: 'liquidation';
}

export interface MovableLine extends Level {
  readonly kind: 'takeProfit' | 'stopLoss' | 'order' | 'alert';
  readonly movement: LineMovement;
  /** Null for a line that does not exist on the account yet. */
  readonly dismissal: Dismissal | null;
}

export type PriceLine = EntryLine | LiquidationLine | MovableLine;
export type LineKind = PriceLine['kind'];

export const isMovable = (line: PriceLine): line is MovableLine =>
  line.kind !== 'entry' && line.kind !== 'liquidation';
