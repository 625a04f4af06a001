/**
 * The documents' own writes to `orders`, `positions` and `transactions` (CALL-43, CALL-45, CALL-46, A100), each by the
 * command behind it. Invariant: nothing here grants what the procedures refuse.
 *
 * Known limitation: the rows of one insert share no transaction. Each has its own outcome, and when the engine stops in
 * the middle, a repeat with the same client ids places what is missing.
 */
import { AppError, type SignedIn } from '@fulcrum/contract';
import {
  asMoney,
  type Command,
  checkPlacement,
  type MarketView,
  type PlaceCommand,
  toDecimalString,
} from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import type { Market } from '../market/index.ts';
import { ownCommandOf, staffCommandOf } from './authority.ts';
import {
  type ClaimedRow,
  cancelCommandOf,
  clientIdOf,
  fundsOf,
  idempotencyKeyOf,
  placeCommandOf,
  textOf,
} from './claims.ts';
import { editOf } from './edits.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';
import type { Submit } from './procedures.ts';
import { refusalError } from './refusals.ts';

/** The ids of the rows that were meant, in their order; with the rows themselves as the command left them. */
interface Written {
  readonly ids: readonly string[];
  readonly rows: readonly Answer[];
}

export interface WriteDependencies {
  readonly submit: Submit;
  readonly db: Database;
  readonly market: Pick<Market, 'pair' | 'isListed' | 'freshen'>;
}

const repeatHint =
  'Other rows may have been placed. A repeat with the same client_ids places what is missing.';

export function createWrites({ submit, db, market }: WriteDependencies) {
  return {
    /** CALL-45, A20: own orders; one row is refused or placed, of several each is placed or kept as REJECTED. */
    async 'orders.insert'(caller: SignedIn, rows: readonly ClaimedRow[]): Promise<Written> {
      const placements = readPlacements(caller, rows, market);
      const of = ownCommandOf(caller);
      // A source that is polled is asked first (A37).
      const symbols = new Set(placements.map(({ command }) => command.symbol));
      await Promise.all([...symbols].map((symbol) => market.freshen(symbol)));
      const outcomes = await Promise.allSettled(
        placements.map(({ command, key }) => submit(of, command, key)),
      );
      const orders = outcomes.map((outcome, index) => {
        if (outcome.status === 'fulfilled') return outcome.value;
        throw ofRow(outcome.reason, index, rows.length, repeatHint);
      });
      return { ids: idsOf(orders), rows: orders };
    },

    /** CALL-46: to CANCELED. One that is final already is refused when it is the only one meant, else left as it is. */
    async 'orders.update'(
      caller: SignedIn,
      ids: readonly string[],
      changes: ClaimedRow,
    ): Promise<readonly string[]> {
      if (changes.status !== 'CANCELED') {
        throw new AppError('invalid_argument', 'The status of an order can only become CANCELED.');
      }
      const of = ownCommandOf(caller);
      const outcomes = await Promise.allSettled(ids.map((id) => submit(of, cancelCommandOf(id), null)));
      return ids.filter((_, index) => {
        const outcome = outcomes[index];
        if (outcome?.status !== 'rejected') return true;
        const { reason } = outcome;
        if (!(reason instanceof AppError) || reason.code !== 'order_final') throw reason;
        if (reason.details === 'CANCELED') return true;
        if (ids.length === 1) throw reason;
        return false;
      });
    },

    /** CALL-43, A09. @throws AppError `changed_meanwhile` with both versions, `reason_required` */
    async 'positions.update'(
      caller: SignedIn,
      ids: readonly string[],
      changes: ClaimedRow,
    ): Promise<Written> {
      const [positionId, ...others] = ids;
      if (positionId === undefined || others.length > 0) {
        throw new AppError('invalid_argument', 'Edit one position at a time.');
      }
      const userId = await ownerOf(db, positionId);
      const of = await staffCommandOf(db, { caller, userId, reason: reasonOf(changes) });
      const { edit, expectedVersion } = editOf(changes);
      const command: Command = { kind: 'edit', positionId, edit, expectedVersion, reason: of.reason };
      const { client_id: _, reason: __, ...body } = changes;
      const claims = [
        positionId,
        of.reason,
        Object.entries(body).sort(([one], [two]) => (one < two ? -1 : 1)),
      ];
      const key = idempotencyKeyOf(caller.userId, 'positions.update', clientIdOf(changes), claims);
      const row = await submit(of, command, key);
      return { ids: [positionId], rows: [row] };
    },

    /** A100: a completed deposit or withdrawal, as `adjust_wallet_balance`; the type decides the sign. */
    async 'transactions.insert'(caller: SignedIn, rows: readonly ClaimedRow[]): Promise<readonly string[]> {
      const [row, ...others] = rows;
      if (!row || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
      const { type, status = 'completed' } = row;
      if (status !== 'completed' || (type !== 'deposit' && type !== 'withdrawal')) {
        throw new AppError('not_allowed', 'Only completed deposits and withdrawals can be written.');
      }
      const userId = textOf(row, 'user_id');
      const of = await staffCommandOf(db, { caller, userId, reason: reasonOf(row) ?? descriptionOf(row) });
      const claimed = fundsOf(textOf(row, 'amount'));
      if (type === 'deposit' && claimed < 0n) {
        throw new AppError('funds_amount_invalid', 'The amount of a deposit is above 0.');
      }
      const amount = asMoney(type === 'withdrawal' && claimed > 0n ? -claimed : claimed);
      const body = [userId, toDecimalString(amount), of.reason];
      const key = idempotencyKeyOf(caller.userId, 'transactions.insert', clientIdOf(row), body);
      const answer = await submit(of, { kind: 'adjust', amount, reason: of.reason }, key);
      return [textOf(answer, 'transaction_id')];
    },
  };
}

const idsOf = (rows: readonly Answer[]): readonly string[] => rows.map((row) => textOf(row, 'id'));
const reasonOf = ({ reason }: ClaimedRow): string | null => (typeof reason === 'string' ? reason : null);
const descriptionOf = ({ description }: ClaimedRow): string | null =>
  typeof description === 'string' ? description : null;

interface PlacementOf {
  readonly command: PlaceCommand;
  readonly key: IdempotencyKey | null;
}

/** All of them or none: nothing is placed while one of the rows can be no order. @throws AppError that names the row */
function readPlacements(
  caller: SignedIn,
  rows: readonly ClaimedRow[],
  market: Pick<MarketView, 'pair' | 'isListed'>,
): readonly PlacementOf[] {
  const bodyOfClient = new Map<string, string>();
  return rows.map((row, index) => {
    try {
      const named = row.user_id;
      if (named !== undefined && named !== null && named !== caller.userId) {
        throw new AppError('not_allowed', 'You can only place your own orders.');
      }
      const command = placeCommandOf(row, rows.length > 1);
      const checked = checkPlacement(command, market);
      if ('refusal' in checked) throw refusalError(checked.refusal);
      const key = idempotencyKeyOf(caller.userId, 'orders.insert', command.clientId, bodyOf(command));
      if (key && (bodyOfClient.get(key.clientId) ?? key.bodyHash) !== key.bodyHash) {
        throw new AppError('invalid_argument', 'Two rows with one client_id are not the same order.');
      }
      if (key) bodyOfClient.set(key.clientId, key.bodyHash);
      return { command, key };
    } catch (error) {
      throw ofRow(error, index, rows.length);
    }
  });
}

function bodyOf({ symbol, type, side, size, leverage, price, takeProfitPrice, stopLossPrice }: PlaceCommand) {
  const text = (units: bigint | null) => (units === null ? null : toDecimalString(units));
  return [symbol, type, side, text(size), leverage, text(price), text(takeProfitPrice), text(stopLossPrice)];
}

/** What is wrong with a row of several says which one it is. */
function ofRow(error: unknown, index: number, count: number, hint?: string): unknown {
  if (count === 1 || !(error instanceof AppError)) return error;
  const { code, message, details } = error;
  return new AppError(code, `Row ${index + 1}: ${message}`, {
    ...(details !== null && { details }),
    ...(hint !== undefined && { hint }),
  });
}

/** @throws AppError `position_not_found` */
async function ownerOf(db: Database, positionId: string): Promise<string> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from app.positions where id = $1`,
    [positionId],
    'position_owner',
  );
  const [position] = rows;
  if (!position) throw refusalError({ code: 'position_not_found' });
  return position.userId;
}
