/**
 * The order book of accounts with net positions (A113, A114), what an order on it costs, and how a fill came about. Loaded when it is
 * shown, so that other accounts' pages do not weigh more.
 */
export type { ShownBook, ShownTrade } from './book-query.ts';
export { FillsPopover } from './FillsPopover.tsx';
export { LadderDialog, loadExecutionMarks, NetOrder, OrderBook } from './lazy-parts.tsx';
export { type NetTerms, waitNames } from './net-terms.ts';
