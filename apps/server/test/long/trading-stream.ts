/**
 * One trader who trades without pause on a server that may be killed at any instant. The trader opens, closes whole and in part, sets take
 * profit and stop loss, places orders of all types one and several at a time, and cancels.
 */
import type { PositionRow } from '@fulcrum/contract';
import { CommandStream, type Request, toTick } from './command-stream.ts';

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

export class TradingStream extends CommandStream {
  /** Prices of the last answers; the next orders stay away from them. */
  readonly #seen = new Map<string, number>();
  /** As far as was answered, oldest first; a price may have closed or filled them since. */
  readonly #open: PositionRow[] = [];
  readonly #waiting: string[] = [];

  /** Opens a position between two prices, that share away, that a moving market soon reaches; repeats the request until it is answered. */
  openBracketed(deadline: number, share = 0.006): Promise<Request> {
    return this.insist(this.#toOpen(share), deadline);
  }

  protected learn({ intent, rows }: Request): void {
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

  protected next(): Request {
    const dice = this.random();
    if (dice < 0.2) return this.#toClose() ?? this.#toOpen();
    if (dice < 0.35) return this.#toProtect() ?? this.#toOpen();
    if (dice < 0.6) return this.#toInsert() ?? this.#toOpen();
    if (dice < 0.7) return this.#toCancel() ?? this.#toOpen();
    return this.#toOpen(dice < 0.85 ? 0.002 + this.random() * 0.008 : null);
  }

  #toOpen(share: number | null = null): Request {
    const [symbol, side] = [this.symbol(), this.side()];
    const price = this.#seen.get(symbol);
    const bracket = share === null || price === undefined ? null : this.bracketAround(price, side, share);
    return this.call(
      'open_position',
      { kind: 'open', bracket },
      {
        ...{ p_symbol: symbol, p_side: side, p_size: size },
        // Some are so close to their liquidation that the market reaches it.
        p_leverage: this.random() < 0.3 ? 125 : 20,
        ...(bracket && { p_take_profit_price: bracket[0], p_stop_loss_price: bracket[1] }),
      },
    );
  }

  #toClose(): Request | null {
    const isPart = this.random() < 0.4;
    const position = isPart ? this.#open[0] : this.#open.shift();
    if (!position) return null;
    const part = isPart ? partSize : null;
    const intent = { kind: 'close', positionId: position.id, size: part } as const;
    return this.call('close_position', intent, {
      p_position_id: position.id,
      ...(part !== null && { p_size: part }),
    });
  }

  #toProtect(): Request | null {
    const position = this.#open.at(-1);
    const price = position && this.#seen.get(position.symbol);
    if (!position || price === undefined) return null;
    const bracket = this.bracketAround(price, position.side, 0.004 + this.random() * 0.006);
    return this.call(
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
    const symbol = this.symbol();
    const price = this.#seen.get(symbol);
    if (price === undefined) return null;
    const rows = Array.from({ length: 1 + Math.floor(this.random() * 5) }, () => {
      const type = (['MARKET', 'LIMIT', 'STOP'] as const)[Math.floor(this.random() * 3)];
      const away = 0.002 + this.random() * 0.01;
      const share = this.random() < 0.5 ? 1 - away : 1 + away;
      return {
        ...{ symbol, type, side: this.side(), size, leverage: 20, client_id: this.newId() },
        ...(type !== 'MARKET' && { price: toTick(price * share) }),
      };
    });
    const clientIds = rows.map((row) => row.client_id);
    return this.request({ kind: 'insert' }, clientIds, () =>
      this.client.from('orders').insert(rows).select(),
    );
  }

  #toCancel(): Request | null {
    const orderId = this.#waiting.shift();
    if (orderId === undefined) return null;
    return this.request({ kind: 'cancel', orderId }, [], () =>
      this.client.from('orders').update({ status: 'CANCELED' }).eq('id', orderId).select(),
    );
  }
}
