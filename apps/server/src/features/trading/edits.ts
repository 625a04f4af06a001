/** The claimed changes of a position (CALL-43, A09) as the edit that they ask for. */
import { AppError } from '@fulcrum/contract';
import { asMoney, asPrice, asSize, type PositionEdit, parseDecimal } from '@fulcrum/domain';
import type { ClaimedRow } from './claims.ts';

/** A column of the table that staff may change, and what of it the domain reads; null empties it. */
const fields = {
  entry_price: (claim) => ({ entryPrice: decimalOf(claim, asPrice) }),
  close_price: (claim) => ({ closePrice: decimalOf(claim, asPrice) }),
  size: (claim) => ({ size: decimalOf(claim, asSize) }),
  leverage: (claim) => ({ leverage: typeof claim === 'number' ? claim : null }),
  side: (claim) => ({ side: typeof claim === 'string' ? claim : null }),
  realized_pnl: (claim) => ({ realizedPnl: decimalOf(claim, asMoney) }),
  liquidation_price: (claim) => ({ liquidationPrice: decimalOf(claim, asPrice) }),
  created_at: (claim) => ({ createdAt: momentOf('created_at', claim) }),
  closed_at: (claim) => ({ closedAt: momentOf('closed_at', claim) }),
} as const satisfies Record<string, (claim: unknown) => PositionEdit>;

/** @throws AppError `invalid_argument` when nothing is to be changed */
export function editOf(changes: ClaimedRow): {
  readonly edit: PositionEdit;
  readonly expectedVersion: number | null;
} {
  const edits = Object.entries(fields).flatMap(([column, read]) =>
    changes[column] === undefined ? [] : [read(changes[column])],
  );
  if (edits.length === 0) throw new AppError('invalid_argument', 'Nothing is to be changed.');
  const expectedVersion = typeof changes.version === 'number' ? changes.version : null;
  return { edit: Object.assign({}, ...edits), expectedVersion };
}

const decimalOf = <Amount>(claim: unknown, as: (units: bigint) => Amount): Amount | null =>
  typeof claim === 'string' ? as(parseDecimal(claim)) : null;

/** Milliseconds since the epoch of a time as the table API takes it: `2026-11-21 10:00+02` as well as ISO 8601. */
function momentOf(column: string, claim: unknown): number | null {
  if (typeof claim !== 'string') return null;
  const iso = claim
    .replace(' ', 'T')
    .replace(/([+-]\d{2})$/, '$1:00')
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = Date.parse(iso);
  if (Number.isNaN(at)) throw new AppError('invalid_argument', `${column} is not a time`, { details: claim });
  return at;
}
