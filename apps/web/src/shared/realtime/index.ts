export type { Connection } from './connection.ts';
export { keepSocketAlive } from './keep-socket-alive.ts';
export type { AccountChange } from './read-with-changes.ts';
export { applyAccountChange, refetchAccount, useAccountChanges } from './useAccountChanges.ts';
export { useConnection } from './useConnection.ts';
export { refetchWalletUnlessAnnounced } from './wallet-announcement.ts';
