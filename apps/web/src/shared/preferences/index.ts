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
  marketColumns,
  type Preferences,
  setPreference,
  subscribeToPreferences,
  usePreference,
} from './preferences.ts';
