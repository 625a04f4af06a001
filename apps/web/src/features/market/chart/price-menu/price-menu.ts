/**
 * What can be done at a price of the chart. Other features bring their entries as a list, and the chart adds the copy
 * of the price. Invariant: an entry sends nothing by itself that its own screen would ask about.
 */
export interface PriceMenuEntry {
  readonly id: string;
  readonly label: string;
  readonly perform: () => void;
}

/** The entries at a price of the pair's grid. */
export type PriceMenuEntries = (price: number) => readonly PriceMenuEntry[];

/** Where the menu opens: a point of the chart, px from its top left, and its price. */
export interface PricePoint {
  readonly x: number;
  readonly y: number;
  readonly price: number;
}

/** The nearest price of the grid, without the noise of a pixel's price. */
export const toGridPrice = (price: number, tickSize: number, decimals: number): number =>
  Number((Math.round(price / tickSize) * tickSize).toFixed(decimals));
