/**
 * One trader who trades without pause on a server that may be killed at any instant, and records each answer: executed,
 * refused, or unknown. The trader opens, closes whole and in part, sets take profit and stop loss, places orders
 * of all types one and several at a time, and cancels. Every command carries a client id, so it can be repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderRow, PositionRow } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';

type Row = PositionRow | OrderRow;
type Bracket = readonly [takeProfit: number, stopLoss: number];

/** The requested command. */
export type Intent =
  | { readonly kind: 'open'; readonly bracket: Bracket | null }
  | { readonly kind: 'close'; readonly positionId: string; readonly size: number | null }
  | { readonly kind: 'protect'; readonly positionId: string; readonly bracket: Bracket }
  | { readonly kind: 'insert' }
  | { readonly kind: 'cancel'; readonly orderId: string };

interface Reply {
  readonly status: number;
  readonly error: { readonly code?: string; readonly message: string } | null;
  readonly data: unknown;
}

export interface Request {
  readonly intent: Intent;
  /** One per command; a cancel needs none to be done once. */
  readonly clientIds: readonly string[];
  readonly ask: () => PromiseLike<Reply>;
  /** What it was answered with. */
  rows: readonly Row[];
  outcome: 'done' | 'refused' | 'unknown';
  /** Whether it was ever left without an answer, so that its time of execution is unknown. */
  wasUnanswered: boolean;
  /** Code and text of a refusal. */
  refusal: string | null;
}

/** What a moving market, a stop that fired first or the trader's own past may rightly answer. */
const rightfulRefusals = new Set([
  'position_closed',
  'order_final',
  'protection_invalid',
  'stop_reached',
  'amount_out_of_range',
]);
export const isRightful = ({ refusal }: Request): boolean =>
  rightfulRefusals.has(refusal?.split(':', 1)[0] ?? '');

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const size = 0.01;
const partSize = 0.004;
const pause = (): Promise<void> => sleep(20);
const toTick = (price: number): number => Math.round(price * 100) / 100;

export class TradingStream {
  readonly requests: Request[] = [];
  readonly client: SupabaseClient;
  readonly #name: string;
  readonly #random: () => number;
  #commands = 0;
  /** Prices of the last answers; the next orders stay away from them. */
  readonly #seen = new Map<string, number>();
  /** As far as was answered, oldest first; a price may have closed or filled them since. */
  readonly #open: PositionRow[] = [];
  readonly #waiting: string[] = [];

  constructor(client: SupabaseClient, name: string, random: () => number) {
    this.client = client;
    this.#name = name;
    this.#random = random;
  }

  /** Sends one after the other until `isOver`; pauses after one that was not answered, as a client would. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const request = this.#next();
      this.requests.push(request);
      await this.send(request);
      if (request.outcome === 'unknown') await pause();
    }
  }

  /** Opens a position between two prices that a moving market soon reaches; repeats the request until it is answered. */
  async openBracketed(deadline: number): Promise<Request> {
    const request = this.#toOpen(0.006);
    this.requests.push(request);
    await this.send(request);
    while (request.outcome === 'unknown' && performance.now() < deadline) {
      await pause();
      await this.send(request);
    }
    return request;
  }

  /** Sends the request, for the first time or again. */
  async send(request: Request): Promise<void> {
    const { status, error, data } = await request.ask();
    if (error !== null) {
      // Without a connection supabase-js answers with status 0; 5xx and 429 do not tell what was executed before.
      const isUnknown = status === 0 || status >= 500 || status === 429;
      request.outcome = isUnknown ? 'unknown' : 'refused';
      request.wasUnanswered ||= isUnknown;
      request.refusal = `${error.code}: ${error.message}`;
      return;
    }
    const isFirst = request.rows.length === 0;
    request.outcome = 'done';
    request.rows = (Array.isArray(data) ? data : [data]) as readonly Row[];
    if (isFirst) this.#learn(request);
  }

  #learn({ intent, rows }: Request): void {
    for (const row of rows) {
      if ('entry_price' in row && intent.kind === 'open') {
        this.#seen.set(row.symbol, row.entry_price);
        this.#open.push(row);
      }
      if (intent.kind === 'insert' && 'type' in row && row.type !== 'MARKET' && row.status === 'NEW') {
        this.#waiting.push(row.id);
      }
    }
  }

  #next(): Request {
    const dice = this.#random();
    if (dice < 0.2) return this.#toClose() ?? this.#toOpen();
    if (dice < 0.35) return this.#toProtect() ?? this.#toOpen();
    if (dice < 0.6) return this.#toInsert() ?? this.#toOpen();
    if (dice < 0.7) return this.#toCancel() ?? this.#toOpen();
    return this.#toOpen(dice < 0.85 ? 0.002 + this.#random() * 0.008 : null);
  }

  #newId(): string {
    this.#commands += 1;
    return `${this.#name}-${this.#commands}`;
  }

  #request(intent: Intent, clientIds: readonly string[], ask: Request['ask']): Request {
    return {
      ...{ intent, clientIds, ask },
      ...{ rows: [], outcome: 'unknown', wasUnanswered: false, refusal: null },
    };
  }

  #call(procedure: string, intent: Intent, args: Readonly<Record<string, unknown>>): Request {
    const clientId = this.#newId();
    return this.#request(intent, [clientId], () =>
      this.client.rpc(procedure, { ...args, p_client_id: clientId }),
    );
  }

  #symbol(): string {
    return this.#random() < 0.5 ? 'BTCUSDT' : 'ETHUSDT';
  }

  #side(): 'BUY' | 'SELL' {
    return this.#random() < 0.5 ? 'BUY' : 'SELL';
  }

  /** Take profit and stop loss so far from a price, as a share of it. */
  #bracketAround(price: number, side: 'BUY' | 'SELL', share: number): Bracket {
    const gain = side === 'BUY' ? 1 : -1;
    return [toTick(price * (1 + gain * share)), toTick(price * (1 - gain * share))];
  }

  #toOpen(share: number | null = null): Request {
    const [symbol, side] = [this.#symbol(), this.#side()];
    const price = this.#seen.get(symbol);
    const bracket = share === null || price === undefined ? null : this.#bracketAround(price, side, share);
    return this.#call(
      'open_position',
      { kind: 'open', bracket },
      {
        ...{ p_symbol: symbol, p_side: side, p_size: size },
        // Some are so close to their liquidation that the market reaches it.
        p_leverage: this.#random() < 0.3 ? 125 : 20,
        ...(bracket && { p_take_profit_price: bracket[0], p_stop_loss_price: bracket[1] }),
      },
    );
  }

  #toClose(): Request | null {
    const isPart = this.#random() < 0.4;
    const position = isPart ? this.#open[0] : this.#open.shift();
    if (!position) return null;
    const part = isPart ? partSize : null;
    const intent = { kind: 'close', positionId: position.id, size: part } as const;
    return this.#call('close_position', intent, {
      p_position_id: position.id,
      ...(part !== null && { p_size: part }),
    });
  }

  #toProtect(): Request | null {
    const position = this.#open.at(-1);
    const price = position && this.#seen.get(position.symbol);
    if (!position || price === undefined) return null;
    const bracket = this.#bracketAround(price, position.side, 0.004 + this.#random() * 0.006);
    return this.#call(
      'set_take_profit_stop_loss',
      { kind: 'protect', positionId: position.id, bracket },
      {
        p_position_id: position.id,
        p_take_profit_price: bracket[0],
        p_stop_loss_price: bracket[1],
      },
    );
  }

  #toInsert(): Request | null {
    const symbol = this.#symbol();
    const price = this.#seen.get(symbol);
    if (price === undefined) return null;
    const rows = Array.from({ length: 1 + Math.floor(this.#random() * 5) }, () => {
      const type = (['MARKET', 'LIMIT', 'STOP'] as const)[Math.floor(this.#random() * 3)];
      const away = 0.002 + this.#random() * 0.01;
      const share = this.#random() < 0.5 ? 1 - away : 1 + away;
      return {
        ...{ symbol, type, side: this.#side(), size, leverage: 20, client_id: this.#newId() },
        ...(type !== 'MARKET' && { price: toTick(price * share) }),
      };
    });
    const clientIds = rows.map((row) => row.client_id);
    return this.#request({ kind: 'insert' }, clientIds, () =>
      this.client.from('orders').insert(rows).select(),
    );
  }

  #toCancel(): Request | null {
    const orderId = this.#waiting.shift();
    if (orderId === undefined) return null;
    return this.#request({ kind: 'cancel', orderId }, [], () =>
      this.client.from('orders').update({ status: 'CANCELED' }).eq('id', orderId).select(),
    );
  }
}
