export { type AmountUnit, amountUnits, getPreferences, setPreference, usePreference } from './preferences.ts';
