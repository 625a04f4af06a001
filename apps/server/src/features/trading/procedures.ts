/**
 * The commands of `/rest/v1/rpc` that change an account. Each one turns its claims into a command of the engine and is
 * answered when that is committed; a repeat of the same client id is answered as before. What of an order or position is
 * refused has the texts of `refusals.ts`.
 */
import {
  AppError,
  type adjustWalletBalance,
  type deleteUserWithData,
  type resetAccount,
  type restrictUser,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { asMoney, type Command, type Context, toDecimalString } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { requireNotActing, requireReason } from '../accounts/index.ts';
import type { Market } from '../market/index.ts';
import { startBalanceOf } from '../wallet/index.ts';
import { ownCommandOf, staffCommandOf } from './authority.ts';
import {
  type AmendArgs,
  amendCommandOf,
  type CloseArgs,
  type CloseAtReopenArgs,
  closeAtReopenCommandOf,
  closeCommandOf,
  fundsOf,
  idempotencyKeyOf,
  type OpenArgs,
  openCommandOf,
  type ProtectArgs,
  protectCommandOf,
} from './claims.ts';
import { idempotencyConflict } from './engine/answers.ts';
import type { CommandOf } from './engine/queue.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';
import { createPositionHistory } from './position-history.ts';
import { createPreviews } from './previews.ts';

/** `Engine.submit`. */
export type Submit = (of: CommandOf, command: Command, key: IdempotencyKey | null) => Promise<Answer>;

/** What else belongs to the deletion of an account (A73). */
export interface Deletions {
  /**
   * Ends who acts as them, and as whom they act.
   * @throws AppError `not_found`, `not_allowed` for admins and oneself
   */
  prepare(caller: SignedIn, userId: string): Promise<void>;
  /** After the commit: nobody of their sessions is served any longer. Never rejects. */
  announce(userId: string): Promise<void>;
}

export interface ProcedureDependencies {
  readonly submit: Submit;
  readonly db: Database;
  readonly config: Pick<Config, 'allowReset' | 'signupBalance'>;
  readonly market: Pick<Market, 'freshen'>;
  readonly deletions: Deletions;
  /** What a decision would look at now. */
  readonly contextNow: () => Context;
  readonly isHalted: () => boolean;
}

type ArgsOf<P extends { readonly args: z.ZodType }> = z.output<P['args']>;

export function createProcedures(deps: ProcedureDependencies) {
  const { submit, db, config, market, deletions, contextNow, isHalted } = deps;
  return {
    /** CALL-47: opens at the server's price, which a source that is polled is asked for first (A37). */
    async open_position(caller: SignedIn, args: OpenArgs): Promise<Answer> {
      const command = openCommandOf(args);
      const { p_symbol, p_side, p_size, p_leverage, p_entry_price = null } = args;
      const { p_take_profit_price = null, p_stop_loss_price = null } = args;
      const body = [
        p_symbol,
        p_side,
        p_size,
        p_leverage,
        p_entry_price,
        p_take_profit_price,
        p_stop_loss_price,
      ];
      const key = idempotencyKeyOf(caller.userId, 'open_position', args.p_client_id, body);
      await market.freshen(p_symbol);
      return submit(ownCommandOf(caller), command, key);
    },

    /** CALL-48, A23: closes the position, or a part of it, at the server's price. */
    async close_position(caller: SignedIn, args: CloseArgs): Promise<Answer> {
      const command = closeCommandOf(args);
      const body = [command.positionId, ...(args.p_size == null ? [] : [args.p_size])];
      const key = idempotencyKeyOf(caller.userId, 'close_position', args.p_client_id, body);
      return submit(ownCommandOf(caller), command, key);
    },

    /** A98: while its market is shut, has the position closed at the first price after the reopening, or takes that back. */
    async close_at_reopen(caller: SignedIn, args: CloseAtReopenArgs): Promise<Answer> {
      const command = closeAtReopenCommandOf(args);
      const body = [command.positionId, command.wanted];
      const key = idempotencyKeyOf(caller.userId, 'close_at_reopen', args.p_client_id, body);
      return submit(ownCommandOf(caller), command, key);
    },

    /** A21. */
    async set_take_profit_stop_loss(caller: SignedIn, args: ProtectArgs): Promise<Answer> {
      const command = protectCommandOf(args);
      const { p_take_profit_price = null, p_stop_loss_price = null } = args;
      const body = [command.positionId, p_take_profit_price, p_stop_loss_price];
      const key = idempotencyKeyOf(caller.userId, 'set_take_profit_stop_loss', args.p_client_id, body);
      return submit(ownCommandOf(caller), command, key);
    },

    /** Moves the price of an own order that waits. A source that is polled is asked first (A37), as for a new order. */
    async amend_order(caller: SignedIn, args: AmendArgs): Promise<Answer> {
      const command = amendCommandOf(args);
      const body = [command.orderId, toDecimalString(command.price)];
      const key = idempotencyKeyOf(caller.userId, 'amend_order', args.p_client_id, body);
      const symbol = await symbolOfOrder(db, caller.userId, command.orderId);
      if (symbol !== undefined) await market.freshen(symbol);
      return submit(ownCommandOf(caller), command, key);
    },

    /** A102: back to what the account was opened with, else what a new one gets. @throws AppError `not_allowed` where the operator does not allow it, and while acting */
    async reset_account(caller: SignedIn, args: ArgsOf<typeof resetAccount>): Promise<Answer> {
      requireNotActing(caller);
      if (!config.allowReset) throw new AppError('not_allowed', texts.resetNotAllowed);
      const key = idempotencyKeyOf(caller.userId, 'reset_account', args.p_client_id, []);
      const startBalance = asMoney((await startBalanceOf(db, caller.userId)) ?? config.signupBalance);
      return submit(ownCommandOf(caller), { kind: 'reset', startBalance }, key);
    },

    /** CALL-52, A12. */
    async adjust_wallet_balance(caller: SignedIn, args: ArgsOf<typeof adjustWalletBalance>): Promise<Answer> {
      const { p_amount: amount, p_reason: reason } = args;
      const userId = args.p_user_id.toLowerCase();
      const of = await staffCommandOf(db, { caller, userId, reason });
      const command = { kind: 'adjust', amount: fundsOf(amount), reason: of.reason } as const;
      const body = [userId, amount, of.reason];
      return submit(
        of,
        command,
        idempotencyKeyOf(caller.userId, 'adjust_wallet_balance', args.p_client_id, body),
      );
    },

    ...createPreviews({ db, contextNow, isHalted }),
    ...createPositionHistory(db),

    /** A72. */
    async restrict_user(caller: SignedIn, args: ArgsOf<typeof restrictUser>): Promise<Answer> {
      const { p_restricted: restricted, p_reason: reason } = args;
      const userId = args.p_user_id.toLowerCase();
      const of = await staffCommandOf(db, { caller, userId, reason });
      const command = { kind: 'restrict', restricted, reason: of.reason } as const;
      const body = [userId, restricted, of.reason];
      return submit(of, command, idempotencyKeyOf(caller.userId, 'restrict_user', args.p_client_id, body));
    },

    /** CALL-53, A73: of any role but an admin, with or without a wallet. */
    async delete_user_with_data(caller: SignedIn, args: ArgsOf<typeof deleteUserWithData>): Promise<Answer> {
      requireNotActing(caller);
      const reason = requireReason(args.p_reason);
      const userId = args.p_user_id.toLowerCase();
      const body = [userId, reason];
      const key = idempotencyKeyOf(caller.userId, 'delete_user_with_data', args.p_client_id, body);
      const answered = await answerOf(db, key);
      if (answered) return answered;
      const of = { userId, actorId: caller.userId, authority: 'admin', reason } as const;
      try {
        await deletions.prepare(caller, userId);
        const answer = await submit(of, { kind: 'delete', reason }, key);
        await deletions.announce(userId);
        return answer;
      } catch (error) {
        // Not found, because the same command was carried out meanwhile.
        const meanwhile = await answerOf(db, key);
        if (meanwhile) return meanwhile;
        throw error;
      }
    },
  };
}

/** Undefined for an order that is not this user's. */
async function symbolOfOrder(db: Database, userId: string, orderId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ symbol: string }>(
    `select symbol from app.orders where id = $1 and user_id = $2`,
    [orderId, userId],
    'order_symbol',
  );
  return rows[0]?.symbol;
}

/**
 * The stored answer of a command whose account is gone, so that the engine is no longer asked.
 * @throws AppError `idempotency_conflict` for another body
 */
async function answerOf(db: Database, key: IdempotencyKey | null): Promise<Answer | undefined> {
  if (!key) return undefined;
  const { rows } = await db.query<{ answer: Answer; bodyHash: string }>(
    `select answer, encode(body_hash, 'hex') as "bodyHash" from app.commands where user_id = $1 and client_id = $2`,
    [key.ownerId, key.clientId],
    'stored_answer',
  );
  const [stored] = rows;
  if (stored && stored.bodyHash !== key.bodyHash) throw idempotencyConflict();
  return stored?.answer;
}
