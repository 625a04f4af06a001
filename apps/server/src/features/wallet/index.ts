/** The trader's wallet and its ledger. */

export {
  type CheckReport,
  createLedgerMonitor,
  type LedgerMonitor,
  type LedgerReport,
} from './ledger-monitor.ts';
export {
  checkInvariants,
  type InvariantReport,
  type Violation,
  verifyLedger,
} from './ledger-verification.ts';
export { ensureWallet, findStartBalance, findStartBalances, openWallet } from './open-wallet.ts';
export { type Reconciled, reconcileWallets } from './reconcile.ts';
