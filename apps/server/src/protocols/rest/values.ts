/**
 * Parses a client's value by the type of its column before PostgreSQL sees it, so that an invalid one is the client's 400
 * (22P02) and never a 500. Invariant: the result is text that the type's cast accepts unambiguously: decimals plain and
 * exact, times with an explicit offset, `jsonb` as its JSON text. A `text[]` is its elements.
 */
import type { Column, PgType } from '@fulcrum/contract';
import { DecimalError, isUuid, parseDecimal, parseTags, toDecimalString } from '@fulcrum/domain';
import { badValue, malformed, missingValue, RestError } from './errors.ts';
import { limits } from './limits.ts';
import type { Value } from './query.ts';

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

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const notADay = (value: string) =>
  new RestError(400, '22008', `date/time field value out of range: "${value}"`);

function isDay(year: number, month: number, day: number): boolean {
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth;
}

function readDate(value: string): string {
  const match = dateForm.exec(value);
  if (!match) throw badValue('date', value);
  if (!isDay(Number(match[1]), Number(match[2]), Number(match[3]))) throw notADay(value);
  return value;
}

function readTimestamp(value: string): string {
  const match = timeForm.exec(value);
  if (!match) throw badValue('timestamp with time zone', value);
  const [, year, month, day, hour = '00', minute = '00', second = '00', offset] = match;
  const [offsetHours, offsetMinutes] = [offset?.slice(1, 3) ?? '0', offset?.slice(3).replace(':', '') || '0'];
  const exists =
    isDay(Number(year), Number(month), Number(day)) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 59 &&
    Number(offsetHours) <= 14 &&
    Number(offsetMinutes) <= 59;
  if (!exists) throw notADay(value);
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
  // Half of a surrogate pair has no UTF-8: it would be stored as something else than was sent.
  if (!value.isWellFormed()) throw new RestError(400, '22021', 'a text cannot contain half a surrogate pair');
  return value;
}

/** The elements of `{a,"b,c"}`, PostgreSQL's array literal, one level deep and without NULL. @throws RestError 22P02. */
export function readArrayLiteral(text: string): string[] {
  if (!/^\{.*\}$/su.test(text)) throw badValue('array', text);
  const list = text.slice(1, -1);
  if (list.trim() === '') return [];
  // A blank fits in one place only, around an element or between two of its signs: what does not match fails at once.
  const element = /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^",{}\\\s]|\\.)(?:\s*(?:[^",{}\\\s]|\\.))*))\s*(,|$)/suy;
  const values: string[] = [];
  for (let isLast = false; !isLast; ) {
    const match = element.exec(list);
    const [, quoted, bare, separator] = match ?? [];
    if (!match || bare?.toLowerCase() === 'null') throw badValue('array', text);
    values.push((quoted ?? bare ?? '').replace(/\\(.)/gsu, '$1'));
    isLast = separator === '';
  }
  return values;
}

type ScalarType = Exclude<PgType, 'text[]' | 'jsonb'>;

const readers: Record<ScalarType, (value: string) => string> = {
  uuid: (value) => {
    if (!isUuid(value)) throw badValue('uuid', value);
    return value.toLowerCase();
  },
  text: readText,
  numeric: readNumeric,
  int4: (value) => readWhole('int4', value),
  int8: (value) => readWhole('int8', value),
  bool: readBool,
  date: readDate,
  timestamptz: readTimestamp,
};

function requireLength(value: string, charsMax: number): void {
  if (value.length > charsMax) throw malformed(`A value has more than ${charsMax} characters`);
}

/** The form of a filter's value for its column. @throws RestError 22P02 (or 22003, 22008) when it is none. */
export function readValue(column: Column, value: string): Value {
  requireLength(value, limits.valueChars);
  if (column.type === 'text[]') return readArrayLiteral(value).map(readText);
  if (column.type === 'jsonb') throw badValue('jsonb', value);
  return readers[column.type](value);
}

/** Describes a JSON value for an error; never the whole of a nested one. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  return typeof value === 'object' && value !== null ? '{…}' : String(value);
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}

function readJson(value: unknown): string {
  // Checked before serialization, which would overflow the stack on unlimited nesting.
  if (isDeeperThan(limits.jsonDepth, value)) {
    throw new RestError(400, '22023', `a json value nests deeper than ${limits.jsonDepth} levels`);
  }
  const text = JSON.stringify(value);
  requireLength(text, limits.jsonChars);
  if (/(?<!\\)(?:\\\\)*\\u0000/u.test(text))
    throw new RestError(400, '22P05', 'a json text cannot contain a NUL character');
  return text;
}

function readTextList(value: unknown): string[] {
  if (!Array.isArray(value)) throw badValue('text[]', shown(value));
  if (value.length > limits.textListValues)
    throw malformed(`A list has more than ${limits.textListValues} values`);
  return value.map((element: unknown) => {
    if (typeof element !== 'string') throw badValue('text', shown(element));
    requireLength(element, limits.valueChars);
    return readText(element);
  });
}

function readScalar(column: Column, type: ScalarType, value: unknown): string {
  const isNumeric = type === 'numeric' || type === 'int4' || type === 'int8';
  const fits =
    typeof value === 'string' ||
    (typeof value === 'boolean' && type === 'bool') ||
    (typeof value === 'number' && isNumeric);
  if (!fits) throw badValue(type, shown(value));
  const text = String(value);
  requireLength(text, type === 'text' ? limits.textChars : limits.valueChars);
  const read = readers[type](text);
  if (column.values && !column.values.includes(read)) {
    throw new RestError(400, '23514', `a value is not one of ${column.values.join(', ')}`);
  }
  return read;
}

/** The form of a JSON value for its column; `null` stays NULL. @throws RestError as `readValue`. */
export function readJsonValue(column: Column, value: unknown): Value | null {
  if (value === null) return null;
  if (column.type === 'text[]') {
    const list = readTextList(value);
    // Each element is a text that may hold several tags, as one typed field does.
    return column.areTags ? [...parseTags(list.join(','))] : list;
  }
  if (column.type === 'jsonb') return readJson(value);
  return readScalar(column, column.type, value);
}

/**
 * A JSON value as a feature's command takes it: uuid, text, decimal (`numeric`, `int8`), date and time as text, `int4` as
 * number, bool as boolean, a `text[]` as its elements, a `jsonb` as it is; `null` where the column is nullable. A closed
 * list of values is the command's to check: it has the text for what is not on it.
 * @throws RestError as `readValue`, 23502 for a null that the column does not take.
 */
export function parseCommandValue(name: string, column: Column, value: unknown): unknown {
  const { values: _, ...anyValue } = column;
  const read = readJsonValue(anyValue, value);
  if (read === null && !column.nullable) throw missingValue(name);
  if (read === null) return null;
  if (column.type === 'jsonb') return value;
  if (column.type === 'bool') return read === 'true';
  return column.type === 'int4' ? Number(read) : read;
}
