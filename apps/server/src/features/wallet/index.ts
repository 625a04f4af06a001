/** The trader's wallet and the books behind it. */
export { ensureWallet, type Opening, openWallet, startBalanceOf } from './open-wallet.ts';
export { checkInvariants, type InvariantReport, passBooks, type Violation } from './passes.ts';
export { type Drifting, type Reconciled, reconcileWallets } from './reconcile.ts';
export { type Figures, type MonthFigures, readTotals, type Totals } from './totals.ts';
export { type BooksReport, type BooksWatch, type CheckReport, watchBooks } from './watch.ts';
