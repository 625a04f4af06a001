/**
 * Serialises the calculators' inputs for the storage. An invalid calculator counts as untouched, so an old or damaged
 * copy breaks nothing. Pure.
 */
import { isLeverage, MAX_RISK_PERCENT, MIN_RISK_PERCENT, toNumber } from '@fulcrum/domain';
import { parseJson } from '../../shared/json/parse-json.ts';
import { type Calculators, initialCalculators } from './input-texts.ts';
import { isNonLiveState } from './non-live-price.ts';

const version = 1;

type Stored = Readonly<Record<string, unknown>>;
const isStored = (value: unknown): value is Stored => typeof value === 'object' && value !== null;

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isSide = (value: unknown): boolean => value === 'BUY' || value === 'SELL';
const isNonLivePrice = (value: unknown): boolean =>
  value === null ||
  (isStored(value) && isNonLiveState(value.state) && (value.since === null || Number.isFinite(value.since)));
const isRiskPercent = (value: unknown): boolean =>
  typeof value === 'number' &&
  value >= toNumber(MIN_RISK_PERCENT) &&
  value <= toNumber(MAX_RISK_PERCENT) &&
  Number(value.toFixed(1)) === value;

/** Checks of the fields that are not plain text. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  symbol: isTextOrNull,
  still: isNonLivePrice,
  side: isSide,
  riskPercent: isRiskPercent,
};

function isValidValue(value: unknown, template: unknown, name: string): boolean {
  const check = checks[name];
  if (check) return check(value);
  return typeof template === 'number'
    ? typeof value === 'number' && isLeverage(value)
    : typeof value === 'string';
}

/** The stored fields over those of an untouched calculator. */
function parseCalculator<Texts extends object>(stored: unknown, template: Texts): Texts {
  if (!isStored(stored)) return template;
  const names = Object.keys(template) as (keyof Texts & string)[];
  const isValid = names.every((name) => isValidValue(stored[name], template[name], name));
  return isValid ? (Object.fromEntries(names.map((name) => [name, stored[name]])) as Texts) : template;
}

export function parseInputs(text: string | null): Calculators {
  const stored = parseJson(text);
  if (!isStored(stored) || stored.version !== version) return initialCalculators;
  return {
    pnl: parseCalculator(stored.pnl, initialCalculators.pnl),
    risk: parseCalculator(stored.risk, initialCalculators.risk),
    position: parseCalculator(stored.position, initialCalculators.position),
  };
}

export const serializeInputs = (calculators: Calculators): string =>
  JSON.stringify({ version, ...calculators });
