/**
 * A trader whose orders unmodified ccxt sends to a server that may be killed at any instant: purchases, sales and orders far from the
 * market, of which some are cancelled. Afterwards what the client reads is compared with the stored rows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs, parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import ccxt, { type binanceusdm } from 'ccxt';
import { expect } from 'vitest';
import { createCcxt } from '../exchange/recipes/ccxt.ts';
import { think } from './command-stream.ts';
import type { Session } from './stored-trades.ts';

const symbol = 'BTC/USDT:USDT';
/** So many of them stay below the orders that a key may place. */
const pauseMs = 100;
const tradesOfPage = 500;

interface Sent {
  readonly clientOrderId: string;
  readonly type: 'market' | 'limit';
  readonly side: 'buy' | 'sell';
  readonly amount: number;
  readonly price: number | undefined;
  /** For the first time, by `performance.now()`. */
  readonly sentAt: number;
  outcome: 'acknowledged' | 'refused' | 'unknown';
  /** As answered. */
  id: string | undefined;
  refusal: string;
}

/** A connection that broke, a server that is away or not yet ready: what became of the order is unknown. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ccxt.NetworkError || (error instanceof Error && / 50\d |-1008|-1000/.test(error.message));

const plain = (stored: unknown): string => toDecimalString(parseDecimal(String(stored)));

export class CcxtBot {
  readonly #accountId: string;
  readonly #exchange: binanceusdm;
  readonly #random: () => number;
  /** About the market's; limits are a tenth away from it. */
  readonly #price: number;
  readonly #sent: Sent[] = [];

  private constructor(accountId: string, exchange: binanceusdm, price: number, random: () => number) {
    this.#accountId = accountId;
    this.#exchange = exchange;
    this.#price = price;
    this.#random = random;
  }

  /** In an account of its own of this user. */
  static async open(url: string, user: SupabaseClient, random: () => number): Promise<CcxtBot> {
    const terms = { p_rules: 'perpetual', p_fill_profile: 'pro', p_start_balance: 1_000_000 };
    const { data: account } = await user.rpc('create_account', { p_name: 'Bot', ...terms }).throwOnError();
    const scopes = { p_scopes: ['read', 'trade'], p_account_id: account.id };
    const { data: key } = await user.rpc('create_api_key', { p_name: 'ccxt', ...scopes }).throwOnError();
    const exchange = createCcxt(url, { apiKey: key.api_key, secret: key.secret });
    await exchange.loadMarkets();
    const { last } = await exchange.fetchTicker(symbol);
    return new CcxtBot(account.id, exchange, Number(last), random);
  }

  get acknowledged(): number {
    return this.#sent.filter(({ outcome }) => outcome === 'acknowledged').length;
  }

  /** Sends one order after the other until `isOver`, about `thinkMs` apart. */
  async run(isOver: () => boolean, thinkMs = 0): Promise<void> {
    await think(thinkMs, this.#random, isOver);
    while (!isOver()) {
      const order = this.#next();
      this.#sent.push(order);
      await this.#send(order);
      if (order.type === 'limit' && order.id !== undefined && this.#random() < 0.5) {
        await this.#exchange.cancelOrder(order.id, symbol).catch((error: unknown) => {
          // A balancer repeats a cancel that broke off at the next gateway, where it finds nothing any more.
          if (!isUnknown(error) && !(error instanceof ccxt.OrderNotFound)) throw error;
        });
      }
      await sleep(pauseMs);
      await think(thinkMs, this.#random, isOver);
    }
  }

  /** Repeats each order without an answer until it has one; returns how many there were. */
  async repeatUnanswered(): Promise<number> {
    const unanswered = this.#sent.filter(({ outcome }) => outcome === 'unknown');
    for (const order of unanswered)
      await expect.poll(() => this.#send(order).then(() => order.outcome)).not.toBe('unknown');
    // An acknowledged one that is repeated is the same, for a minute (docs/exchange-api.md).
    const recent = this.#sent.slice(-5).filter(({ sentAt }) => performance.now() - sentAt < minuteMs / 2);
    for (const order of recent.filter(({ outcome }) => outcome === 'acknowledged')) await this.#send(order);
    return unanswered.length;
  }

  /** While the bot rests. @throws when the client reads what is not stored, or an acknowledged order is lost or there twice */
  async expectStored(session: Session): Promise<void> {
    const others = this.#sent.filter(({ outcome }) => outcome !== 'acknowledged');
    expect(others.map(({ refusal }) => refusal)).toEqual([]);
    const exchange = this.#exchange;
    const rows = await this.#readRows(session);
    const open = await exchange.fetchOpenOrders(symbol);
    expect(open.map(({ id }) => id)).toEqual(rows.open);
    const [position] = await exchange.fetchPositions([symbol]);
    expect((position?.info as { positionAmt?: string } | undefined)?.positionAmt ?? '0').toBe(rows.net);
    expect(await this.#readTrades()).toEqual(rows.trades);
    const acknowledged = this.#sent.filter(({ outcome }) => outcome === 'acknowledged');
    expect(new Set(rows.clientIds).size).toBe(rows.clientIds.length);
    expect(new Set(rows.clientIds)).toEqual(new Set(acknowledged.map(({ clientOrderId }) => clientOrderId)));
    expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
  }

  #next(): Sent {
    const isLimit = this.#random() < 1 / 3;
    const side = this.#random() < 0.5 ? 'buy' : 'sell';
    const share = (side === 'buy' ? 0.9 : 1.1) + this.#random() / 200;
    return {
      ...{ clientOrderId: `c${this.#sent.length}`, type: isLimit ? 'limit' : 'market', side },
      amount: (1 + Math.floor(this.#random() * 40)) / 1_000,
      price: isLimit ? Math.round(this.#price * share) : undefined,
      ...{ sentAt: performance.now(), outcome: 'unknown', id: undefined, refusal: '' },
    };
  }

  async #send(sent: Sent): Promise<void> {
    const { clientOrderId, type, side, amount, price } = sent;
    try {
      const { id } = await this.#exchange.createOrder(symbol, type, side, amount, price, { clientOrderId });
      // The answer to a repeat is the same order.
      if (sent.id !== undefined) expect([clientOrderId, id]).toEqual([clientOrderId, sent.id]);
      sent.outcome = 'acknowledged';
      sent.id = id;
    } catch (error) {
      // A repeat that breaks off takes back no acknowledgement.
      if (sent.id !== undefined && isUnknown(error)) return;
      sent.outcome = isUnknown(error) ? 'unknown' : 'refused';
      sent.refusal = String(error);
    }
  }

  async #readTrades(): Promise<readonly (readonly string[])[]> {
    const trades: (readonly string[])[] = [];
    for (let from = '0'; ; from = String(Number(trades.at(-1)?.[0]) + 1)) {
      const page = await this.#exchange.fetchMyTrades(symbol, undefined, tradesOfPage, { fromId: from });
      const infos = page.map(({ info }) => info as Record<string, string>);
      trades.push(
        ...infos.map(({ id, side, qty, price, commission, realizedPnl }) =>
          [id, side, qty, price, commission, realizedPnl].map(String),
        ),
      );
      if (page.length < tradesOfPage) return trades;
    }
  }

  async #readRows(session: Session) {
    const read = async (text: string) =>
      (await session.query(text, [this.#accountId])).rows as Record<string, string>[];
    const orders = await read(
      'select number::text, client_id, status from app.orders o where user_id = $1 order by o.number',
    );
    const [net] = await read(
      `select coalesce(sum(case side when 'BUY' then size else -size end), 0)::text as size
       from app.positions where user_id = $1 and status = 'open'`,
    );
    const executions = await read(
      `select number::text, side, size::text, price::text, fee::text, coalesce(realized_pnl, 0)::text as pnl
       from app.executions e where user_id = $1 order by e.number`,
    );
    return {
      open: orders.filter(({ status }) => status === 'NEW').map(({ number }) => String(number)),
      net: plain(net?.size),
      trades: executions.map(({ number, side, size, price, fee, pnl }) => [
        ...[String(number), String(side)],
        ...[size, price, fee, pnl].map(plain),
      ]),
      clientIds: orders.map(({ client_id: id }) => String(id)),
    };
  }
}
