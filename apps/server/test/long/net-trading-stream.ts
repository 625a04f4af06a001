/**
 * One trader in an account with net positions (A113, A114), who trades without pause on a server that may be killed at any instant:
 * opens, closes whole and in part, reverses, places MARKET and LIMIT orders of every time in force, reduce-only and conditional ones, amends,
 * cancels, sets leverage and moves margin. It stores what it has sent, and what it knows from the answers.
 */
import type { OrderRow, PositionRow } from '@fulcrum/contract';
import { dayMs, type OrderType, type TimeInForce } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { CommandStream, type Request, toTick } from './command-stream.ts';

/** A row as `orders` takes it. */
export interface SentOrder {
  readonly symbol: string;
  readonly type: OrderType;
  readonly side: 'BUY' | 'SELL';
  readonly size: number;
  readonly leverage: number;
  readonly client_id: string;
  readonly price?: number;
  readonly time_in_force?: TimeInForce;
  readonly reduce_only?: boolean;
  readonly trigger_price?: number;
  readonly trail_rate?: number;
  readonly expires_at?: string;
}

/** That of the market, which every order of a symbol states. */
const leverage = 20;
/** Nothing trades in these, so that the leverage can change at any time. */
const idleSymbols = ['XRPUSDT', 'ADAUSDT'] as const;
const smallSize = 0.02;
/** A share of the price beyond every swing. */
const farAway = 0.05;
/** Little of it is traded: an order of this size takes the first levels, and fills for many minutes. */
export const thinSymbol = 'SOLUSDT';
const largeSize = 30;
/** They wait for good, and an account has 500 orders at the most. */
const conditionalWaves = 3;
const waitingMax = 100;
const toStep = (size: number): number => Math.max(Math.round(size * 1_000) / 1_000, 0.001);

export interface NearSwing {
  readonly symbol: string;
  readonly price: number;
  /** As a share of the price. */
  readonly swing: number;
}

export class NetTradingStream extends CommandStream {
  readonly accountId: string;
  /** The orders of `sendWaiting` near the market. */
  readonly near: string[] = [];
  /** By client id. */
  readonly sent = new Map<string, SentOrder>();
  /** Prices of the last fills; the next orders stay near them. */
  readonly #seen = new Map<string, number>();
  /** By symbol, as far as was answered; a price or an order may have closed it since. */
  readonly #open = new Map<string, PositionRow>();
  /** Oldest first, likewise. */
  readonly #waiting: OrderRow[] = [];
  #moves = 0;
  #isFixed: boolean = false;
  /** How often `sendWaiting` was called. */
  #waves = 0;

  constructor(client: SupabaseClient, accountId: string, name: string, random: () => number) {
    super(client, name, random);
    this.accountId = accountId;
  }

  protected learn({ intent, rows }: Request): void {
    for (const row of rows) {
      if ('entry_price' in row) {
        if (row.status === 'open') this.#open.set(row.symbol, row);
        if (intent.kind === 'open' || intent.kind === 'close')
          this.#seen.set(row.symbol, row.close_price ?? row.entry_price);
        continue;
      }
      if (row.filled_size > 0) this.#seen.set(row.symbol, toTick(row.filled_value / row.filled_size));
      const isWaiting = row.status === 'NEW' || row.status === 'PARTIALLY_FILLED';
      if (isWaiting && intent.kind !== 'cancel' && !this.#isFixed) this.#waiting.push(row);
    }
  }

  protected async next(): Promise<Request> {
    // A quick machine would reach the limit of an account.
    const oldest = this.#waiting.length > waitingMax ? this.#toCancel() : null;
    if (oldest) return oldest;
    const dice = this.random();
    if (dice > 0.9) return (await this.#toInsertLarge()) ?? this.#toOpen();
    if (dice < 0.08) return this.#toClose() ?? this.#toOpen();
    if (dice < 0.12) return this.#toReverse() ?? this.#toOpen();
    if (dice < 0.2) return this.#toMoveMargin() ?? this.#toOpen();
    if (dice < 0.25) return this.#toSetLeverage();
    if (dice < 0.6) return this.#toInsert() ?? this.#toOpen();
    if (dice < 0.7) return this.#toAmend() ?? this.#toOpen();
    if (dice < 0.82) return this.#toCancel() ?? this.#toOpen();
    return this.#toOpen();
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  #toOpen(): Request {
    const [symbol, side] = [this.symbol(), this.side()];
    const price = this.#seen.get(symbol);
    const share = 0.002 + this.random() * 0.006;
    const bracket =
      price !== undefined && this.random() < 0.5 ? this.bracketAround(price, side, share) : null;
    return this.call(
      'open_position',
      { kind: 'open', bracket },
      {
        ...{ p_symbol: symbol, p_side: side, p_leverage: leverage },
        p_size: toStep(smallSize * (1 + this.random() * 20)),
        ...(bracket && { p_take_profit_price: bracket[0], p_stop_loss_price: bracket[1] }),
      },
    );
  }

  #position(): PositionRow | undefined {
    return this.#pick([...this.#open.values()]);
  }

  #toClose(): Request | null {
    const position = this.#position();
    if (!position) return null;
    const part = this.random() < 0.5 ? toStep(position.size * 0.4) : null;
    if (part === null) this.#open.delete(position.symbol);
    const intent = { kind: 'close', positionId: position.id, size: part } as const;
    return this.call('close_position', intent, {
      p_position_id: position.id,
      ...(part !== null && { p_size: part }),
    });
  }

  #toReverse(): Request | null {
    const position = this.#position();
    if (!position) return null;
    this.#open.delete(position.symbol);
    const intent = { kind: 'reverse', positionId: position.id } as const;
    return this.call('reverse_position', intent, { p_position_id: position.id });
  }

  /** Each amount is sent once, so that the ledger shows which were moved, and how often. */
  #toMoveMargin(): Request | null {
    const position = this.#position();
    if (!position) return null;
    this.#moves += 1;
    const size = 20 + this.#moves / 10_000;
    const amount = Number((this.random() < 0.7 ? size : -size).toFixed(4));
    const intent = { kind: 'margin', positionId: position.id, amount } as const;
    return this.call('adjust_margin', intent, { p_position_id: position.id, p_amount: amount });
  }

  #toSetLeverage(): Request {
    const symbol = this.#pick(idleSymbols) ?? 'XRPUSDT';
    const chosen = 1 + Math.floor(this.random() * 50);
    const intent = { kind: 'leverage', symbol, leverage: chosen } as const;
    return this.call('set_leverage', intent, { p_symbol: symbol, p_leverage: chosen });
  }

  #toInsert(): Request | null {
    const symbol = this.symbol();
    const price = this.#seen.get(symbol);
    if (price === undefined) return null;
    const length = 1 + Math.floor(this.random() * 3);
    return this.#toPlacement(Array.from({ length }, () => this.#orderOf(symbol, price)));
  }

  /**
   * Places orders of each kind that wait, which it neither amends nor cancels: near ones on either side, which the market passes when it
   * next swings by `swing`, and far ones, which it never does. Where a near one would take, it is refused, so that one of the two
   * waits. One in the thin symbol has filled in part.
   */
  async sendWaiting(swings: readonly NearSwing[], deadline: number): Promise<void> {
    this.#isFixed = true;
    this.#waves += 1;
    for (const swing of swings) await this.#sendAround(swing, deadline);
    const large = await this.#toInsertLarge();
    if (large) await this.insist(large, deadline);
    this.#isFixed = false;
  }

  async #sendAround({ symbol, price, swing }: NearSwing, deadline: number): Promise<void> {
    const rows = (['BUY', 'SELL'] as const).flatMap((side): SentOrder[] => {
      const away = (share: number) => toTick(price * (side === 'BUY' ? 1 - share : 1 + share));
      const order = { symbol, side, leverage, type: 'LIMIT', size: smallSize } as const;
      return [
        { ...order, client_id: this.newId(), time_in_force: 'GTX', price: away(swing) },
        { ...order, client_id: this.newId(), time_in_force: 'GTC', price: away(farAway) },
        { ...order, client_id: this.newId(), time_in_force: 'GTC', price: away(farAway), reduce_only: true },
        ...(side === 'BUY' && this.#waves <= conditionalWaves ? this.#conditions(order, price) : []),
      ];
    });
    await this.insist(this.#toOpen(), deadline);
    const { rows: placed } = await this.insist(this.#toPlacement(rows), deadline);
    for (const row of placed) {
      const isNear = 'time_in_force' in row && row.time_in_force === 'GTX';
      if (isNear && row.status === 'NEW') this.near.push(row.id);
    }
  }

  /** One of each kind that no swing triggers. */
  #conditions({ symbol, size }: Pick<SentOrder, 'symbol' | 'size'>, price: number): readonly SentOrder[] {
    const [above, below] = [toTick(price * (1 + farAway)), toTick(price * (1 - farAway))];
    const order = () => ({ symbol, size, leverage, client_id: this.newId() });
    const expires_at = new Date(Date.now() + dayMs).toISOString();
    return [
      { ...order(), side: 'BUY', type: 'STOP_MARKET', trigger_price: above },
      { ...order(), side: 'SELL', type: 'TAKE_PROFIT', trigger_price: above, price: above },
      { ...order(), side: 'SELL', type: 'TRAILING_STOP_MARKET', trail_rate: 20 },
      { ...order(), side: 'BUY', type: 'LIMIT', time_in_force: 'GTD', price: below, expires_at },
    ];
  }

  #toPlacement(rows: readonly SentOrder[]): Request {
    for (const row of rows) this.sent.set(row.client_id, row);
    const clientIds = rows.map((row) => row.client_id);
    return this.request({ kind: 'insert' }, clientIds, () =>
      this.client
        .from('orders')
        .insert([...rows])
        .select(),
    );
  }

  /** It takes two levels, and the rest waits. */
  async #toInsertLarge(): Promise<Request | null> {
    const { data } = await this.client.rpc('get_book', { p_symbol: thinSymbol });
    const side = this.side();
    const price = (side === 'BUY' ? data?.asks : data?.bids)?.[1]?.price;
    if (price === undefined) return null;
    const order = { symbol: thinSymbol, side, leverage, client_id: this.newId(), type: 'LIMIT' } as const;
    return this.#toPlacement([{ ...order, time_in_force: 'GTC', price, size: largeSize }]);
  }

  #orderOf(symbol: string, price: number): SentOrder {
    const side = this.side();
    const order = {
      symbol,
      side,
      leverage,
      client_id: this.newId(),
      size: toStep(smallSize * (1 + this.random() * 4)),
    };
    const dice = this.random();
    if (dice < 0.15) return { ...order, type: 'MARKET', ...(this.random() < 0.3 && { reduce_only: true }) };
    /** Above zero: away from the market. */
    const away = (share: number) => toTick(price * (side === 'BUY' ? 1 - share : 1 + share));
    const far = 0.001 + this.random() * 0.01;
    if (dice < 0.3) return { ...order, type: 'LIMIT', time_in_force: 'IOC', price: away(-0.001) };
    if (dice < 0.42) return { ...order, type: 'LIMIT', time_in_force: 'FOK', price: away(-0.001) };
    if (dice < 0.65) return { ...order, type: 'LIMIT', time_in_force: 'GTX', price: away(far) };
    const isReducing = dice < 0.75;
    return { ...order, type: 'LIMIT', time_in_force: 'GTC', price: away(far), reduce_only: isReducing };
  }

  #toAmend(): Request | null {
    const order = this.#pick(this.#waiting);
    const seen = order && this.#seen.get(order.symbol);
    if (!order || seen === undefined) return null;
    const far = 0.001 + this.random() * 0.01;
    const price = toTick(seen * (order.side === 'BUY' ? 1 - far : 1 + far));
    const size = toStep(order.filled_size + smallSize * (1 + this.random() * 4));
    const intent = { kind: 'amend', orderId: order.id, price, size } as const;
    return this.call('amend_order', intent, { p_order_id: order.id, p_price: price, p_size: size });
  }

  #toCancel(): Request | null {
    const order = this.#waiting.shift();
    if (order === undefined) return null;
    return this.request({ kind: 'cancel', orderId: order.id }, [], () =>
      this.client.from('orders').update({ status: 'CANCELED' }).eq('id', order.id).select(),
    );
  }
}
