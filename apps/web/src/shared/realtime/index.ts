export { useAccountChanges } from './useAccountChanges.ts';
