/**
 * Reads a client's value by the type of its column before PostgreSQL sees it, so that a bad one is the client's 400
 * (22P02) and never our 500. Invariant: what is returned is text that the type's cast accepts unambiguously: decimals
 * plain and exact, times with an explicit offset.
 */
import type { Column, PgType } from '@fulcrum/contract';
import { DecimalError, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { badValue, malformed, RestError } from './errors.ts';
import { limits } from './limits.ts';

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const wholeForm = /^[+-]?\d{1,19}$/;
/** How JavaScript prints a number below 1e-6 or from 1e21 up. */
const exponentForm = /^-?\d+(?:\.\d+)?e[+-]\d+$/;
const timeForm =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const ranges = {
  int4: [-(2n ** 31n), 2n ** 31n - 1n],
  int8: [-(2n ** 63n), 2n ** 63n - 1n],
} as const;

const outOfRange = (type: string, value: string) =>
  new RestError(400, '22003', `value "${value.slice(0, 100)}" is out of range for type ${type}`);

function readWhole(type: 'int4' | 'int8', value: string): string {
  if (!wholeForm.test(value)) throw badValue(type, value);
  const whole = BigInt(value.replace('+', ''));
  const [least, greatest] = ranges[type];
  if (whole < least || whole > greatest) throw outOfRange(type, value);
  return whole.toString();
}

function readNumeric(value: string): string {
  try {
    return toDecimalString(parseDecimal(exponentForm.test(value) ? Number(value) : value));
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    if (error.fault === 'malformed') throw badValue('numeric', value);
    throw outOfRange('numeric(28,8)', value);
  }
}

function readTimestamp(value: string): string {
  const match = timeForm.exec(value);
  if (!match) throw badValue('timestamp with time zone', value);
  const [, year, month, day, hour = '00', minute = '00', second = '00', offset] = match;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const [offsetHours, offsetMinutes] = [offset?.slice(1, 3) ?? '0', offset?.slice(3).replace(':', '') || '0'];
  const exists =
    Number(year) >= 1 &&
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysInMonth &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 59 &&
    Number(offsetHours) <= 14 &&
    Number(offsetMinutes) <= 59;
  if (!exists) throw new RestError(400, '22008', `date/time field value out of range: "${value}"`);
  // Without an offset a time is UTC, whatever the session's own zone.
  return offset ? value : `${value}${match[4] ? '' : 'T00:00'}Z`;
}

function readBool(value: string): string {
  const lower = value.toLowerCase();
  if (['true', 't', 'false', 'f'].includes(lower)) return lower.startsWith('t') ? 'true' : 'false';
  throw badValue('boolean', value);
}

function readText(value: string): string {
  if (value.includes('\0')) throw new RestError(400, '22021', 'a text cannot contain a NUL character');
  return value;
}

const readers: Record<PgType, (value: string) => string> = {
  uuid: (value) => {
    if (!uuidForm.test(value)) throw badValue('uuid', value);
    return value.toLowerCase();
  },
  text: readText,
  numeric: readNumeric,
  int4: (value) => readWhole('int4', value),
  int8: (value) => readWhole('int8', value),
  bool: readBool,
  timestamptz: readTimestamp,
};

/** The text form of a filter's value for its column. @throws RestError 22P02 (or 22003, 22008) when it is none. */
export function readValue(column: Column, value: string): string {
  if (value.length > limits.valueChars)
    throw malformed(`A value has more than ${limits.valueChars} characters`);
  return readers[column.type](value);
}

/** The text form of a JSON value for its column; `null` stays NULL. @throws RestError as `readValue`. */
export function readJsonValue(column: Column, value: unknown): string | null {
  if (value === null) return null;
  const isTextual = column.type === 'text' || column.type === 'uuid' || column.type === 'timestamptz';
  const fits =
    typeof value === 'string' ||
    (typeof value === 'boolean' && column.type === 'bool') ||
    (typeof value === 'number' && !isTextual && column.type !== 'bool');
  if (!fits) throw badValue(column.type, JSON.stringify(value));
  return readValue(column, String(value));
}
