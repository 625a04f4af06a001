/**
 * The calculators' inputs as a text for the storage, and back. What does not fit counts as untouched, calculator by
 * calculator: an old or damaged copy breaks nothing. Pure.
 */
import { isLeverage, MAX_RISK_PERCENT, MIN_RISK_PERCENT, toNumber } from '@fulcrum/domain';
import { type Calculators, untouched } from './input-texts.ts';
import { isStillState } from './standing-still.ts';

const version = 1;

type Stored = Readonly<Record<string, unknown>>;
const isStored = (value: unknown): value is Stored => typeof value === 'object' && value !== null;

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isSide = (value: unknown): boolean => value === 'BUY' || value === 'SELL';
const isStill = (value: unknown): boolean =>
  value === null ||
  (isStored(value) && isStillState(value.state) && (value.since === null || Number.isFinite(value.since)));
const isRiskPercent = (value: unknown): boolean =>
  typeof value === 'number' &&
  value >= toNumber(MIN_RISK_PERCENT) &&
  value <= toNumber(MAX_RISK_PERCENT) &&
  Number(value.toFixed(1)) === value;

/** What is not a text as typed. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  symbol: isTextOrNull,
  still: isStill,
  side: isSide,
  riskPercent: isRiskPercent,
};

function fits(value: unknown, like: unknown, name: string): boolean {
  const check = checks[name];
  if (check) return check(value);
  return typeof like === 'number'
    ? typeof value === 'number' && isLeverage(value)
    : typeof value === 'string';
}

/** The stored calculator in the fields of an untouched one. */
function readOne<Texts extends object>(stored: unknown, like: Texts): Texts {
  if (!isStored(stored)) return like;
  const names = Object.keys(like) as (keyof Texts & string)[];
  const isSound = names.every((name) => fits(stored[name], like[name], name));
  return isSound ? (Object.fromEntries(names.map((name) => [name, stored[name]])) as Texts) : like;
}

export function readInputs(text: string | null): Calculators {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return untouched;
  }
  if (!isStored(stored) || stored.version !== version) return untouched;
  return {
    pnl: readOne(stored.pnl, untouched.pnl),
    risk: readOne(stored.risk, untouched.risk),
    position: readOne(stored.position, untouched.position),
  };
}

export const writtenInputs = (calculators: Calculators): string =>
  JSON.stringify({ version, ...calculators });
