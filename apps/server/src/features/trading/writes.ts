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
  checkNetPlacement,
  checkPlacement,
  conditionalTypes,
  type MarketView,
  MIN_LEVERAGE,
  type SentPlaceCommand,
  toDecimalString,
} from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import { parseDescription } from '../audit/index.ts';
import type { Market } from '../market/index.ts';
import { requireStaffOrigin, toCommandOrigin } from './authority.ts';
import {
  createIdempotencyKey,
  getClientId,
  getText,
  parseFunds,
  toCancelCommand,
  toPlaceCommand,
  type UntrustedRow,
} from './command-input.ts';
import type { Engine } from './engine/engine.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';
import { toPositionEdit } from './position-edit-input.ts';
import { refusalError } from './refusals.ts';

/** The ids of the matched rows, in their order, and the rows in their state after the command. */
interface WriteResult {
  readonly ids: readonly string[];
  readonly rows: readonly Answer[];
}

interface WriteDependencies {
  readonly engine: Pick<Engine, 'submit'>;
  readonly db: Database;
  readonly market: Pick<Market, 'pair' | 'isListed' | 'ensureFresh'>;
}

const repeatHint =
  'Other rows may have been placed. A repeat with the same client_ids places what is missing.';

export function createWrites({ engine, db, market }: WriteDependencies) {
  return {
    /**
     * Own orders: a single row is refused or placed, of several each is placed or stored as REJECTED (CALL-45, A20).
     */
    async 'orders.insert'(caller: SignedIn, rows: readonly UntrustedRow[]): Promise<WriteResult> {
      const placements = parsePlacements(caller, rows, market);
      const origin = toCommandOrigin(caller);
      // A polled source is refreshed first (A37).
      const symbols = new Set(placements.map(({ command }) => command.symbol));
      await Promise.all([...symbols].map((symbol) => market.ensureFresh(symbol)));
      const outcomes = await Promise.allSettled(
        placements.map(({ command, key }) => engine.submit(origin, command, key)),
      );
      const orders = outcomes.map((outcome, index) => {
        if (outcome.status === 'fulfilled') return outcome.value;
        throw withRowNumber(outcome.reason, index, rows.length, repeatHint);
      });
      return { ids: idsOf(orders), rows: orders };
    },

    /** Cancels orders (CALL-46). A final one is refused when it is the only match, else it stays as it is. */
    async 'orders.update'(
      caller: SignedIn,
      ids: readonly string[],
      changes: UntrustedRow,
    ): Promise<readonly string[]> {
      if (changes.status !== 'CANCELED') {
        throw new AppError('invalid_argument', 'The status of an order can only become CANCELED.');
      }
      const origin = toCommandOrigin(caller);
      const outcomes = await Promise.allSettled(
        ids.map((id) => engine.submit(origin, toCancelCommand(id), null)),
      );
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

    /** Edits a position as staff do (CALL-43, A09). @throws AppError `changed_meanwhile` with both versions, `reason_required` */
    async 'positions.update'(
      caller: SignedIn,
      ids: readonly string[],
      changes: UntrustedRow,
    ): Promise<WriteResult> {
      const [positionId, ...others] = ids;
      if (positionId === undefined || others.length > 0) {
        throw new AppError('invalid_argument', 'Edit one position at a time.');
      }
      const userId = await findPositionOwner(db, positionId);
      const origin = await requireStaffOrigin(db, { caller, accountId: userId, reason: reasonOf(changes) });
      const { edit, expectedVersion } = toPositionEdit(changes);
      const command: Command = { kind: 'edit', positionId, edit, expectedVersion, reason: origin.reason };
      const { client_id: _, reason: __, ...body } = changes;
      const requestedValues = [
        positionId,
        origin.reason,
        Object.entries(body).sort(([one], [two]) => (one < two ? -1 : 1)),
      ];
      const key = createIdempotencyKey(
        caller.userId,
        'positions.update',
        getClientId(changes),
        requestedValues,
      );
      const row = await engine.submit(origin, command, key);
      return { ids: [positionId], rows: [row] };
    },

    /**
     * A completed deposit or withdrawal, as `adjust_wallet_balance`; the type decides the sign (A100). The sent
     * description becomes the row's, and also the reason where none is sent (CALL-37).
     */
    async 'transactions.insert'(caller: SignedIn, rows: readonly UntrustedRow[]): Promise<readonly string[]> {
      const [row, ...others] = rows;
      if (!row || others.length > 0) throw new AppError('invalid_argument', 'Insert one row at a time.');
      const { type, status = 'completed' } = row;
      if (status !== 'completed' || (type !== 'deposit' && type !== 'withdrawal')) {
        throw new AppError('not_allowed', 'Only completed deposits and withdrawals can be written.');
      }
      const userId = getText(row, 'user_id');
      const sentDescription = descriptionOf(row);
      const origin = await requireStaffOrigin(db, {
        caller,
        accountId: userId,
        ownerId: userId,
        reason: reasonOf(row) ?? sentDescription,
      });
      const description = parseDescription(sentDescription);
      const requested = parseFunds(getText(row, 'amount'));
      if (type === 'deposit' && requested < 0n) {
        throw new AppError('funds_amount_invalid', 'The amount of a deposit is above 0.');
      }
      const amount = asMoney(type === 'withdrawal' && requested > 0n ? -requested : requested);
      const body = [
        userId,
        toDecimalString(amount),
        origin.reason,
        ...(description === null ? [] : [description]),
      ];
      const key = createIdempotencyKey(caller.userId, 'transactions.insert', getClientId(row), body);
      const answer = await engine.submit(
        origin,
        { kind: 'adjust', amount, reason: origin.reason, description },
        key,
      );
      return [getText(answer, 'transaction_id')];
    },
  };
}

const idsOf = (rows: readonly Answer[]): readonly string[] => rows.map((row) => getText(row, 'id'));
const reasonOf = ({ reason }: UntrustedRow): string | null => (typeof reason === 'string' ? reason : null);
const descriptionOf = ({ description }: UntrustedRow): string | null =>
  typeof description === 'string' ? description : null;

interface PlacementRequest {
  readonly command: SentPlaceCommand;
  readonly key: IdempotencyKey | null;
}

/** All or none: nothing is placed while one of the rows is invalid. @throws AppError that names the row */
function parsePlacements(
  caller: SignedIn,
  rows: readonly UntrustedRow[],
  market: Pick<MarketView, 'pair' | 'isListed'>,
): readonly PlacementRequest[] {
  const bodyByClientId = new Map<string, string>();
  return rows.map((row, index) => {
    try {
      const sentUserId = row.user_id;
      if (sentUserId !== undefined && sentUserId !== null && sentUserId !== caller.accountId) {
        throw new AppError('not_allowed', 'You can only place your own orders.');
      }
      const command = toPlaceCommand(row, rows.length > 1);
      const checked = check(command, market);
      if ('refusal' in checked) throw refusalError(checked.refusal);
      const key = createIdempotencyKey(caller.accountId, 'orders.insert', command.clientId, bodyOf(command));
      if (key && (bodyByClientId.get(key.clientId) ?? key.bodyHash) !== key.bodyHash) {
        throw new AppError('invalid_argument', 'Two rows with one client_id are not the same order.');
      }
      if (key) bodyByClientId.set(key.clientId, key.bodyHash);
      return { command, key };
    } catch (error) {
      throw withRowNumber(error, index, rows.length);
    }
  });
}

/**
 * Without the account it is not known which rules the order is under; what only `perpetual` accounts have is checked as theirs. How
 * far the end of an order is away is left to the engine, which answers the repeat of an order that it has placed.
 */
function check(command: SentPlaceCommand, market: Pick<MarketView, 'pair' | 'isListed'>) {
  const { triggerPrice, trailRate, expiresAt, closePosition, timeInForce } = command;
  const isConditional =
    conditionalTypes.some((type) => type === command.type) ||
    [triggerPrice, trailRate, expiresAt].some((term) => (term ?? null) !== null) ||
    closePosition === true ||
    timeInForce === 'GTD';
  // The symbol's leverage is the account's; the least one refuses nothing that another one would not.
  const leveraged = { ...command, leverage: command.leverage ?? MIN_LEVERAGE };
  return isConditional
    ? checkNetPlacement(leveraged, { market, now: null })
    : checkPlacement(leveraged, market);
}

function bodyOf({ symbol, type, side, size, leverage, ...more }: SentPlaceCommand) {
  const text = (units: bigint | null) => (units === null ? null : toDecimalString(units));
  const { price, takeProfitPrice, stopLossPrice, timeInForce, reduceOnly, quoteId } = more;
  const stated = [symbol, type, side, text(size), leverage];
  const isPlain = (timeInForce ?? 'GTC') === 'GTC' && !reduceOnly && quoteId == null;
  const terms = [timeInForce ?? 'GTC', reduceOnly ?? false, quoteId ?? null];
  const { triggerPrice = null, trailRate = null, closePosition = false } = more;
  const { expiresAt = null, boundPositionId = null } = more;
  const conditions = [text(triggerPrice), text(trailRate), closePosition, expiresAt, boundPositionId];
  const isUnconditional = conditions.every((one) => one === null || one === false);
  // An order without them has the hash that it had before there were any.
  return [
    ...[...stated, text(price), text(takeProfitPrice), text(stopLossPrice)],
    ...(isPlain && isUnconditional ? [] : terms),
    ...(isUnconditional ? [] : conditions),
  ];
}

/** The error of one of several rows names its number. */
function withRowNumber(error: unknown, index: number, count: number, hint?: string): unknown {
  if (count === 1 || !(error instanceof AppError)) return error;
  const { code, message, details } = error;
  return new AppError(code, `Row ${index + 1}: ${message}`, {
    ...(details !== null && { details }),
    ...(hint !== undefined && { hint }),
  });
}

/** @throws AppError `position_not_found` */
async function findPositionOwner(db: Database, positionId: string): Promise<string> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from app.positions where id = $1`,
    [positionId],
    'position_owner',
  );
  const [position] = rows;
  if (!position) throw refusalError({ code: 'position_not_found' });
  return position.userId;
}
