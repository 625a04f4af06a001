/** Converts the untrusted changes of a position (CALL-43, A09) to an edit. */
import { AppError } from '@fulcrum/contract';
import { asMoney, asPrice, asSize, type PositionEdit, parseDecimal } from '@fulcrum/domain';
import type { UntrustedRow } from './command-input.ts';

/** The columns that staff may change, and the domain's field of each; null empties it. */
const fields = {
  entry_price: (input) => ({ entryPrice: toDecimal(input, asPrice) }),
  close_price: (input) => ({ closePrice: toDecimal(input, asPrice) }),
  size: (input) => ({ size: toDecimal(input, asSize) }),
  leverage: (input) => ({ leverage: typeof input === 'number' ? input : null }),
  side: (input) => ({ side: typeof input === 'string' ? input : null }),
  realized_pnl: (input) => ({ realizedPnl: toDecimal(input, asMoney) }),
  liquidation_price: (input) => ({ liquidationPrice: toDecimal(input, asPrice) }),
  created_at: (input) => ({ createdAt: parseTimestamp('created_at', input) }),
  closed_at: (input) => ({ closedAt: parseTimestamp('closed_at', input) }),
} as const satisfies Record<string, (input: unknown) => PositionEdit>;

/** @throws AppError `invalid_argument` for an edit without a change */
export function toPositionEdit(changes: UntrustedRow): {
  readonly edit: PositionEdit;
  readonly expectedVersion: number | null;
} {
  const edits = Object.entries(fields).flatMap(([column, read]) =>
    changes[column] === undefined ? [] : [read(changes[column])],
  );
  if (edits.length === 0) throw new AppError('invalid_argument', 'There is nothing to change.');
  const expectedVersion = typeof changes.version === 'number' ? changes.version : null;
  return { edit: Object.assign({}, ...edits), expectedVersion };
}

const toDecimal = <Amount>(input: unknown, as: (units: bigint) => Amount): Amount | null =>
  typeof input === 'string' ? as(parseDecimal(input)) : null;

/** Milliseconds since the epoch of a time as the table API takes it: `2026-11-21 10:00+02` as well as ISO 8601. */
function parseTimestamp(column: string, input: unknown): number | null {
  if (typeof input !== 'string') return null;
  const iso = input
    .replace(' ', 'T')
    .replace(/([+-]\d{2})$/, '$1:00')
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = Date.parse(iso);
  if (Number.isNaN(at)) throw new AppError('invalid_argument', `${column} is not a time`, { details: input });
  return at;
}
