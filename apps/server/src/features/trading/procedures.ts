/**
 * The commands of `/rest/v1/rpc` by which traders change their account, and the previews of staff's
 * changes, which are in `features/staff/actions`. Each handler converts its arguments to a command of the
 * engine and answers when that is committed. A repeat of the same client id gets the same answer. Refusals have the
 * texts of `refusals.ts`.
 */
import type { SignedIn } from '@fulcrum/contract';
import { type AccountTerms, type MarketContext, toDecimalString } from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import type { Market } from '../market/index.ts';
import { toCommandOrigin } from './authority.ts';
import {
  type AmendArgs,
  type CloseArgs,
  type CloseAtReopenArgs,
  createIdempotencyKey,
  type LeverageArgs,
  type MarginArgs,
  type OpenArgs,
  type ProtectArgs,
  type ReverseArgs,
  toAmendCommand,
  toCloseAtReopenCommand,
  toCloseCommand,
  toLeverageCommand,
  toMarginCommand,
  toOpenCommand,
  toProtectCommand,
  toReverseCommand,
} from './command-input.ts';
import type { Answer } from './engine/store.ts';
import { createBookReader } from './order-book.ts';
import { createPositionHistory } from './position-history.ts';
import { createPreviews } from './previews.ts';
import { createReset, type ResetDependencies } from './reset.ts';

export interface ProcedureDependencies extends ResetDependencies {
  readonly market: Pick<Market, 'isPolled' | 'ensureFresh' | 'pair' | 'quotes'>;
  /** The context of a decision at this moment. */
  readonly marketContextNow: () => MarketContext;
  readonly mainTerms: AccountTerms;
  readonly isHalted: () => boolean;
}

export function createProcedures(deps: ProcedureDependencies) {
  const { engine, db, market } = deps;

  /** Refreshes a polled source before a command on a row that the caller names by its id (A24, A37). */
  async function ensureFreshFor(table: 'positions' | 'orders', caller: SignedIn, id: string): Promise<void> {
    if (!market.isPolled()) return;
    const symbol = await findSymbol(db, table, caller.accountId, id);
    if (symbol !== undefined) await market.ensureFresh(symbol);
  }

  return {
    /** Opens at the server's price; a polled source is refreshed first (CALL-47, A37). */
    async open_position(caller: SignedIn, args: OpenArgs): Promise<Answer> {
      const command = toOpenCommand(args);
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
        // Only where they are sent: a stored answer has the hash of what was sent before they existed.
        ...(command.reduceOnly ? ['reduce_only'] : []),
        ...(command.quoteId == null ? [] : [command.quoteId]),
      ];
      const key = createIdempotencyKey(caller.accountId, 'open_position', args.p_client_id, body);
      await market.ensureFresh(p_symbol);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    /**
     * Closes the position, or a part of it, at the server's price, which is fetched first (CALL-48, A23, RULE-19,
     * A24).
     */
    async close_position(caller: SignedIn, args: CloseArgs): Promise<Answer> {
      const command = toCloseCommand(args);
      const body = [command.positionId, ...(args.p_size == null ? [] : [args.p_size])];
      const key = createIdempotencyKey(caller.accountId, 'close_position', args.p_client_id, body);
      await ensureFreshFor('positions', caller, command.positionId);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    /**
     * Closes the position and opens the other side in one decision, at the server's price; a polled source is
     * refreshed first (A37).
     */
    async reverse_position(caller: SignedIn, args: ReverseArgs): Promise<Answer> {
      const command = toReverseCommand(args);
      const { p_expected_price = null } = args;
      const body = [command.positionId, p_expected_price];
      const key = createIdempotencyKey(caller.accountId, 'reverse_position', args.p_client_id, body);
      await ensureFreshFor('positions', caller, command.positionId);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    /**
     * Requests a close at the next price that trades for a position that cannot close now, or withdraws that (A98,
     * A110).
     */
    async close_at_reopen(caller: SignedIn, args: CloseAtReopenArgs): Promise<Answer> {
      const command = toCloseAtReopenCommand(args);
      const body = [command.positionId, command.requested];
      const key = createIdempotencyKey(caller.accountId, 'close_at_reopen', args.p_client_id, body);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    /** Sets take profit and stop loss of an open position; both are replaced (A21). */
    async set_take_profit_stop_loss(caller: SignedIn, args: ProtectArgs): Promise<Answer> {
      const command = toProtectCommand(args);
      const { p_take_profit_price = null, p_stop_loss_price = null } = args;
      const body = [command.positionId, p_take_profit_price, p_stop_loss_price];
      const key = createIdempotencyKey(caller.accountId, 'set_take_profit_stop_loss', args.p_client_id, body);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    /**
     * Changes the price of the caller's waiting order. A polled source is refreshed first, as for a new order (A37).
     */
    async amend_order(caller: SignedIn, args: AmendArgs): Promise<Answer> {
      const command = toAmendCommand(args);
      const size = command.size == null ? [] : [toDecimalString(command.size)];
      const trigger = command.triggerPrice == null ? [] : ['trigger', toDecimalString(command.triggerPrice)];
      const body = [command.orderId, toDecimalString(command.price), ...size, ...trigger];
      const key = createIdempotencyKey(caller.accountId, 'amend_order', args.p_client_id, body);
      await ensureFreshFor('orders', caller, command.orderId);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    /** The leverage of a symbol in an account with net positions (A113). */
    async set_leverage(caller: SignedIn, args: LeverageArgs): Promise<Answer> {
      const command = toLeverageCommand(args);
      const body = [command.symbol, command.leverage];
      const key = createIdempotencyKey(caller.accountId, 'set_leverage', args.p_client_id, body);
      await market.ensureFresh(command.symbol);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    /** Adds margin to a net position or takes it out (A113). */
    async adjust_margin(caller: SignedIn, args: MarginArgs): Promise<Answer> {
      const command = toMarginCommand(args);
      const body = [command.positionId, toDecimalString(command.amount)];
      const key = createIdempotencyKey(caller.accountId, 'adjust_margin', args.p_client_id, body);
      await ensureFreshFor('positions', caller, command.positionId);
      return engine.submit(toCommandOrigin(caller), command, key);
    },

    get_book: createBookReader(deps),

    /** Closes everything and books the balance back to the start balance (A102). */
    reset_account: createReset(deps),

    ...createPreviews(deps),
    ...createPositionHistory(db),
  };
}

/** Undefined for a row of another user. */
async function findSymbol(
  db: Database,
  table: 'positions' | 'orders',
  userId: string,
  id: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ symbol: string }>(
    `select symbol from app.${table} where id = $1 and user_id = $2`,
    [id, userId],
    `symbol_of_${table}`,
  );
  return rows[0]?.symbol;
}
