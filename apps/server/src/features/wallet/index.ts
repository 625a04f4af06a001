/** The trader's wallet and the books behind it. */
export { checkInvariants, type InvariantReport, type Violation } from './invariants.ts';
export { ensureWallet, type Opening, openWallet } from './open-wallet.ts';
