export { type Connection, createConnectionWatch, type Sighting } from './connection.ts';
export {
  followAccount,
  type OnNotified,
  readAccountAgain,
  takeOver,
  useAccountChanges,
} from './useAccountChanges.ts';
export { useConnection } from './useConnection.ts';
export { keepAwake } from './wake.ts';
