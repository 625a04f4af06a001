/**
 * What classes, contests and challenges have in common when their terms are saved: the checks of name, money and limits, and the steps of one transaction.
 * Invariants: each save has its audit row; a repeat of the client id makes nothing.
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import {
  checkAccountName,
  isLeverage,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  normaliseAccountName,
  parseDecimal,
  practiceBalance,
  toDecimalString,
} from '@fulcrum/domain';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { type AuditEntry, recordAuditEntry } from '../audit/index.ts';
import { lockStaffChanges } from '../identity/index.ts';
import type { Market } from '../market/index.ts';

interface GivenTerms {
  readonly name: string;
  readonly startBalance: string | number;
  readonly leverageMax: number;
  /** Null is every listed one. */
  readonly symbols: readonly string[] | null;
}

function parseBalance(given: string | number): bigint | null {
  try {
    const balance = parseDecimal(given);
    return balance >= practiceBalance.min && balance <= practiceBalance.max ? balance : null;
  } catch {
    return null;
  }
}

/** The name as it is stored, and the balance as a decimal. @throws AppError invalid_argument in words, unknown_symbol */
export function checkTerms(
  { name, startBalance, leverageMax, symbols }: GivenTerms,
  market: Pick<Market, 'pair'>,
): { readonly name: string; readonly startBalance: string } {
  const refuse = (text: string) => new AppError('invalid_argument', text);
  const objection = checkAccountName(name);
  if (objection !== null) throw refuse(objection);
  if (!isLeverage(leverageMax)) {
    throw refuse(`The greatest leverage is a whole number from ${MIN_LEVERAGE} to ${MAX_LEVERAGE}.`);
  }
  const balance = parseBalance(startBalance);
  if (balance === null) {
    const { min, max } = practiceBalance;
    throw refuse(`The start balance is from ${toDecimalString(min)} to ${toDecimalString(max)} USDT.`);
  }
  const unknown = symbols?.find((symbol) => market.pair(symbol) === undefined);
  if (unknown !== undefined) throw new AppError('unknown_symbol', texts.unknownSymbol(unknown));
  return { name: normaliseAccountName(name), startBalance: toDecimalString(balance) };
}

const stored = {
  class: { table: 'app.classes', column: 'class_id' },
  contest: { table: 'app.programs', column: 'program_id' },
  challenge: { table: 'app.programs', column: 'program_id' },
} as const;

export interface Saving<Row> {
  readonly object: keyof typeof stored;
  readonly at: Date;
  /** Without an id it makes one. */
  readonly args: {
    readonly p_id?: string | null | undefined;
    readonly p_client_id?: string | null | undefined;
  };
  /** @throws where the caller may not save it */
  readonly authorize?: (tx: Queryable) => Promise<void>;
  readonly read: (tx: Queryable, id: string) => Promise<Row>;
  /** Resolves with the new id. */
  readonly create: (tx: Queryable) => Promise<string>;
  /** Resolves with what it was. @throws AppError conflict for terms that are fixed */
  readonly change: (tx: Queryable, id: string) => Promise<Row>;
  readonly afterwards?: (tx: Queryable, id: string) => Promise<void>;
  /** What of it the audit log gets. */
  readonly toDetail: (row: Row) => Record<string, unknown>;
}

/** Saves in one transaction. Resolves with what is stored and the accounts that it binds: the engine reads their limits with them. @throws AccountError session_ended */
export const saveTerms = <Row>(
  db: Database,
  caller: SignedIn,
  saving: Saving<Row>,
): Promise<{ readonly row: Row; readonly accountIds: readonly string[] }> =>
  db.transaction((tx) => save(tx, caller, saving));

async function save<Row>(
  tx: Queryable,
  caller: SignedIn,
  { object, at, args, authorize, read, create, change, afterwards, toDetail }: Saving<Row>,
) {
  const { table, column } = stored[object];
  const existing = args.p_id?.toLowerCase() ?? null;
  await lockStaffChanges(tx, caller);
  await authorize?.(tx);
  if (existing === null) {
    const { rows } = await tx.query<{ id: string }>(
      `select id from ${table} where created_by = $1 and client_id = $2`,
      [caller.userId, args.p_client_id ?? null],
    );
    const [made] = rows;
    if (made) return { row: await read(tx, made.id), accountIds: [] };
  }
  const before = existing === null ? null : await change(tx, existing);
  const id = existing ?? (await create(tx));
  await afterwards?.(tx, id);
  const row = await read(tx, id);
  const action = `${object}.${before === null ? 'create' : 'edit'}` satisfies AuditEntry['action'];
  await recordAuditEntry(tx, {
    ...{ at, actorId: caller.userId, subjectId: null, objectId: id, action },
    detail: { ...(before !== null && { before: toDetail(before) }), after: toDetail(row) },
  });
  const { rows } = await tx.query<{ id: string }>(
    `select id from app.trading_accounts where ${column} = $1`,
    [id],
  );
  return { row, accountIds: rows.map((account) => account.id) };
}
