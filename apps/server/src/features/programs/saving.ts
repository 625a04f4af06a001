/** What contests and challenges have in common when they are made and changed. */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import {
  checkAccountName,
  isLeverage,
  MAX_LEVERAGE,
  MIN_LEVERAGE,
  parseDecimal,
  practiceBalance,
  toDecimalString,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { mapUniqueViolation } from '../../platform/database/unique-violation.ts';
import type { Market } from '../market/index.ts';

export const refuse = (text: string): AppError => new AppError('invalid_argument', text);

/** Resolves with the start balance. @throws AppError invalid_argument in words, unknown_symbol */
export function checkAccountTerms(
  name: string,
  rules: {
    readonly startBalance: string | number;
    readonly leverageMax: number;
    readonly symbols: readonly string[] | null;
  },
  market: Pick<Market, 'pair'>,
): bigint {
  const objection = checkAccountName(name);
  if (objection !== null) throw refuse(objection);
  if (!isLeverage(rules.leverageMax))
    throw refuse(`The greatest leverage is a whole number from ${MIN_LEVERAGE} to ${MAX_LEVERAGE}.`);
  const balance = parseBalance(rules.startBalance);
  if (balance === null) {
    const { min, max } = practiceBalance;
    throw refuse(`The start balance is from ${toDecimalString(min)} to ${toDecimalString(max)} USDT.`);
  }
  const unknown = rules.symbols?.find((symbol) => market.pair(symbol) === undefined);
  if (unknown !== undefined) throw new AppError('unknown_symbol', texts.unknownSymbol(unknown));
  return balance;
}

function parseBalance(given: string | number): bigint | null {
  try {
    const balance = parseDecimal(given);
    return balance >= practiceBalance.min && balance <= practiceBalance.max ? balance : null;
  } catch {
    return null;
  }
}

/** A manager makes programs of the classes that they teach. @throws AppError not_allowed, not_found */
export async function requireClass(
  tx: Queryable,
  caller: SignedIn,
  classId: string | null,
  face: 'contest' | 'challenge',
): Promise<void> {
  if (caller.role === 'manager' && classId === null) {
    throw new AppError(
      'not_allowed',
      `Choose one of your classes: only an admin makes a ${face} for everyone.`,
    );
  }
  if (classId === null) return;
  const { rowCount } = await tx.query(
    `select from app.classes c where c.id = $1
     and ($2::uuid is null or exists (select from app.class_tutors t where t.class_id = c.id and t.user_id = $2))`,
    [classId, caller.role === 'admin' ? null : caller.userId],
    'class_of_program',
  );
  if (rowCount === 0) throw new AppError('not_found', 'This class does not exist.');
}

/** What the same request made before. */
export async function findMade(
  tx: Queryable,
  caller: SignedIn,
  clientId: string | null,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from app.programs where created_by = $1 and client_id = $2',
    [caller.userId, clientId],
  );
  return rows[0]?.id ?? null;
}

/** @throws AppError conflict when another program has the name */
export const namedOnce = <T>(face: 'contest' | 'challenge', write: () => Promise<T>): Promise<T> =>
  mapUniqueViolation(
    {
      programs_name: () => new AppError('conflict', `There is a ${face} of this name. Choose another one.`),
    },
    write,
  );
