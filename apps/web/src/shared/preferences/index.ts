export { isOwnKey, type OwnKeys } from './own-keys.ts';
export {
  type AmountUnit,
  amountUnits,
  applyLayout,
  defaultLayout,
  getLayout,
  getPreferences,
  type MarketColumn,
  type MarketSort,
  type MarketSortColumn,
  marketColumns,
  setPreference,
  subscribeToPreferences,
  usePreference,
} from './preferences.ts';
