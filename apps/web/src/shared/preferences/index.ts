export { type AmountUnit, amountUnits, prefer, preferences, usePreference } from './preferences.ts';
