/**
 * Price streams. Ticks are conflated per symbol: between two frames only the last one counts, and a frame is encoded
 * once for all sockets of its topic. Invariants: `prices` gets at most one frame a second and `prices:{symbol}` at most
 * four; after a frame was left out for a slow client, the next thing it gets is the whole present state, so no symbol
 * stays at an old price.
 *
 * Known limitation: frames leave on a grid of 250 ms that all topics share, so a tick waits up to that long.
 */
import type { Tick } from '@fulcrum/contract';
import type { Channel } from './connection.ts';
import { SharedFrame } from './frames.ts';

/** The grid: each beat may send symbol frames, each `beatsPerSecond`-th also frames of `prices`. */
export const beatsPerSecond = 4;

/** The market, as far as streams need it. */
export interface PriceSource {
  ticks(): readonly Tick[];
  /** Somebody looks at this symbol until they call what is returned. */
  watch(symbol: string): () => void;
}

interface SymbolStream {
  readonly channels: Set<Channel>;
  readonly unwatch: () => void;
}

const priceFrame = (topic: string, ticks: readonly Tick[]) =>
  new SharedFrame(topic, 'broadcast', { type: 'broadcast', event: 'tick', payload: { ticks } });

export class PriceStreams {
  readonly #market: PriceSource;
  readonly #all = new Set<Channel>();
  readonly #bySymbol = new Map<string, SymbolStream>();
  /** Symbols since the last frame of `prices`, and since the last beat. */
  readonly #changedThisSecond = new Map<string, Tick>();
  readonly #changedThisBeat = new Map<string, Tick>();
  /** Channels that a frame was left out for. */
  readonly #owed = new Set<Channel>();
  /** The present state for newcomers of `prices`, until the next tick. */
  #snapshot: SharedFrame | null = null;

  constructor(market: PriceSource) {
    this.#market = market;
  }

  /** Adds a joined channel and sends it its first frame at once. */
  add(channel: Channel, nowMs: number): void {
    const { prices } = channel.grant;
    if (!prices) return;
    if (prices.kind === 'prices') {
      this.#all.add(channel);
    } else {
      this.#streamOf(prices.symbol).channels.add(channel);
    }
    this.#sendSnapshot(channel, nowMs);
  }

  #streamOf(symbol: string): SymbolStream {
    const known = this.#bySymbol.get(symbol);
    if (known) return known;
    const stream = { channels: new Set<Channel>(), unwatch: this.#market.watch(symbol) };
    this.#bySymbol.set(symbol, stream);
    return stream;
  }

  remove(channel: Channel): void {
    this.#owed.delete(channel);
    const { prices } = channel.grant;
    if (prices?.kind === 'prices') this.#all.delete(channel);
    if (prices?.kind === 'prices-of-symbol') {
      const stream = this.#bySymbol.get(prices.symbol);
      stream?.channels.delete(channel);
      if (stream?.channels.size !== 0) return;
      stream.unwatch();
      this.#bySymbol.delete(prices.symbol);
    }
  }

  onTick(tick: Tick): void {
    this.#snapshot = null;
    this.#changedThisSecond.set(tick.symbol, tick);
    this.#changedThisBeat.set(tick.symbol, tick);
  }

  /** Sends what changed. Called once per beat; `beat` counts them. */
  flush(beat: number, nowMs: number): void {
    for (const [symbol, tick] of this.#changedThisBeat) {
      this.#send(this.#bySymbol.get(symbol)?.channels, [tick], nowMs);
    }
    this.#changedThisBeat.clear();
    if (beat % beatsPerSecond === 0 && this.#changedThisSecond.size > 0) {
      this.#send(this.#all, [...this.#changedThisSecond.values()], nowMs);
      this.#changedThisSecond.clear();
    }
    for (const channel of this.#owed) {
      if (!channel.connection.isBehind(nowMs)) this.#sendSnapshot(channel, nowMs);
    }
  }

  #send(channels: ReadonlySet<Channel> | undefined, ticks: readonly Tick[], nowMs: number): void {
    let frame: SharedFrame | null = null;
    for (const channel of channels ?? []) {
      frame ??= priceFrame(channel.topic, ticks);
      if (!this.#owed.has(channel)) this.#sendTo(channel, frame, nowMs);
    }
  }

  #sendTo(channel: Channel, frame: SharedFrame, nowMs: number): void {
    if (channel.connection.sendPrices(frame, nowMs)) this.#owed.delete(channel);
    else this.#owed.add(channel);
  }

  #sendSnapshot(channel: Channel, nowMs: number): void {
    const frame = this.#snapshotFor(channel);
    if (frame) this.#sendTo(channel, frame, nowMs);
    else this.#owed.delete(channel);
  }

  /** The present state of the channel's topic; null before its first price. */
  #snapshotFor({ topic, grant: { prices } }: Channel): SharedFrame | null {
    if (!prices) return null;
    if (prices.kind === 'prices' && this.#snapshot) return this.#snapshot;
    const all = this.#market.ticks();
    const ticks = prices.kind === 'prices' ? all : all.filter(({ symbol }) => symbol === prices.symbol);
    if (ticks.length === 0) return null;
    const frame = priceFrame(topic, ticks);
    if (prices.kind === 'prices') this.#snapshot = frame;
    return frame;
  }
}
