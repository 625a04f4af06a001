/**
 * One trader who sends orders without pause to a server that may be killed at any instant, and keeps book of what was
 * answered: done, refused, or nothing that says either. Every order carries a client id, so it can be asked again.
 */
import type { PositionRow } from '@fulcrum/contract';
import type { PostgrestSingleResponse, SupabaseClient } from '@supabase/supabase-js';

export interface Order {
  readonly clientId: string;
  readonly procedure: 'open_position' | 'close_position';
  readonly args: Readonly<Record<string, unknown>>;
  /** The position that the server answered with; null until it has. */
  answer: PositionRow | null;
  outcome: 'done' | 'refused' | 'unknown';
  /** Text of the last error. */
  refusal: string | null;
}

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

export class OrderStream {
  readonly orders: Order[] = [];
  readonly client: SupabaseClient;
  readonly #name: string;
  readonly #random: () => number;
  /** Ids of positions that are open as far as was answered, and that no unanswered close names. */
  readonly #open: string[] = [];

  constructor(client: SupabaseClient, name: string, random: () => number) {
    this.client = client;
    this.#name = name;
    this.#random = random;
  }

  /** Sends orders one after the other until `isOver`; pauses after one that was not answered, as a client would. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const order = this.#next();
      this.orders.push(order);
      await this.send(order);
      if (order.outcome === 'unknown') await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Sends the order, for the first time or again. */
  async send(order: Order): Promise<void> {
    const result = (await this.client.rpc(
      order.procedure,
      order.args,
    )) as PostgrestSingleResponse<PositionRow>;
    if (result.error !== null) {
      // Without a connection supabase-js answers with status 0; 5xx says nothing about what was done.
      order.outcome = result.status === 0 || result.status >= 500 ? 'unknown' : 'refused';
      order.refusal = result.error.message;
      return;
    }
    if (order.procedure === 'open_position' && order.answer === null) this.#open.push(result.data.id);
    order.outcome = 'done';
    order.answer = result.data;
  }

  #next(): Order {
    const clientId = `${this.#name}-${this.orders.length}`;
    const position = this.#random() < 0.45 ? this.#open.shift() : undefined;
    if (position !== undefined) {
      const args = { p_position_id: position, p_client_id: clientId };
      return { clientId, procedure: 'close_position', args, answer: null, outcome: 'unknown', refusal: null };
    }
    const args = {
      p_symbol: this.#random() < 0.5 ? 'BTCUSDT' : 'ETHUSDT',
      p_side: this.#random() < 0.5 ? 'BUY' : 'SELL',
      p_size: 0.001,
      p_leverage: 20,
      p_entry_price: null,
      p_required_margin: null,
      p_client_id: clientId,
    };
    return { clientId, procedure: 'open_position', args, answer: null, outcome: 'unknown', refusal: null };
  }
}
