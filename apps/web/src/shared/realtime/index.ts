export { type OnNotified, readAccountAgain, useAccountChanges } from './useAccountChanges.ts';
