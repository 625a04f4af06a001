/**
 * One client that sends commands without pause to a server that may be killed at any instant, and records each answer: executed,
 * refused, or unknown. Every command carries a client id, so it can be repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderRow, PositionRow } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';

export type Row = PositionRow | OrderRow;
export type Bracket = readonly [takeProfit: number, stopLoss: number];

/** The requested command. */
export type Intent =
  | { readonly kind: 'open'; readonly bracket: Bracket | null }
  | { readonly kind: 'close'; readonly positionId: string; readonly size: number | null }
  | { readonly kind: 'protect'; readonly positionId: string; readonly bracket: Bracket }
  | { readonly kind: 'insert' }
  | { readonly kind: 'cancel'; readonly orderId: string }
  /** By staff: one USDT more. */
  | { readonly kind: 'fund'; readonly userId: string }
  // In accounts with net positions alone:
  | { readonly kind: 'reverse'; readonly positionId: string }
  | { readonly kind: 'amend'; readonly orderId: string; readonly price: number; readonly size: number }
  | { readonly kind: 'leverage'; readonly symbol: string; readonly leverage: number }
  | { readonly kind: 'margin'; readonly positionId: string; readonly amount: number };

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
  /** What it was answered with; a leverage is no row. */
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
  'too_many_open',
  // In accounts with net positions alone:
  'order_not_fillable',
  'order_would_take',
  'nothing_to_reduce',
  'leverage_in_use',
  'margin_beyond_free',
  'position_too_large',
]);
export const isRightful = ({ refusal }: Request): boolean =>
  rightfulRefusals.has(refusal?.split(':', 1)[0] ?? '');

export const toTick = (price: number): number => Math.round(price * 100) / 100;

/** So long that the clients leave a machine of two cores to the server that starts. */
const pause = (): Promise<void> => sleep(40);

/** Waits for some time around `meanMs`, or until `isOver`. Without a time it draws nothing, so that `KILL_SEED` repeats older runs. */
export async function think(meanMs: number, random: () => number, isOver: () => boolean): Promise<void> {
  if (meanMs === 0) return;
  const end = performance.now() + (0.5 + random()) * meanMs;
  while (performance.now() < end && !isOver()) await sleep(Math.min(100, meanMs));
}

export abstract class CommandStream {
  readonly requests: Request[] = [];
  readonly client: SupabaseClient;
  readonly #name: string;
  protected readonly random: () => number;
  #commands = 0;

  constructor(client: SupabaseClient, name: string, random: () => number) {
    this.client = client;
    this.#name = name;
    this.random = random;
  }

  protected abstract next(): Request | Promise<Request>;
  /** After the first answer to a request. */
  protected abstract learn(request: Request): void;

  /**
   * Sends one after the other until `isOver`; pauses after one that was not answered, as a client would.
   * @param thinkMs about so long between two requests; several that run side by side begin spread over it
   */
  async run(isOver: () => boolean, thinkMs = 0): Promise<void> {
    await think(thinkMs, this.random, isOver);
    while (!isOver()) {
      const request = await this.next();
      this.requests.push(request);
      await this.send(request);
      if (request.outcome === 'unknown') await pause();
      await think(thinkMs, this.random, isOver);
    }
  }

  /** Sends the request until it is answered. */
  async insist(request: Request, deadline: number): Promise<Request> {
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
    const isFirst = request.outcome !== 'done';
    request.outcome = 'done';
    const answered: readonly object[] = Array.isArray(data) ? data : [data];
    request.rows = answered.filter((row): row is Row => 'id' in row);
    if (isFirst) this.learn(request);
  }

  protected newId(): string {
    this.#commands += 1;
    return `${this.#name}-${this.#commands}`;
  }

  protected request(intent: Intent, clientIds: readonly string[], ask: Request['ask']): Request {
    return {
      ...{ intent, clientIds, ask },
      ...{ rows: [], outcome: 'unknown', wasUnanswered: false, refusal: null },
    };
  }

  protected call(procedure: string, intent: Intent, args: Readonly<Record<string, unknown>>): Request {
    const clientId = this.newId();
    return this.request(intent, [clientId], () =>
      this.client.rpc(procedure, { ...args, p_client_id: clientId }),
    );
  }

  protected symbol(): string {
    return this.random() < 0.5 ? 'BTCUSDT' : 'ETHUSDT';
  }

  protected side(): 'BUY' | 'SELL' {
    return this.random() < 0.5 ? 'BUY' : 'SELL';
  }

  /** Take profit and stop loss so far from a price, as a share of it. */
  protected bracketAround(price: number, side: 'BUY' | 'SELL', share: number): Bracket {
    const gain = side === 'BUY' ? 1 : -1;
    return [toTick(price * (1 + gain * share)), toTick(price * (1 - gain * share))];
  }
}
