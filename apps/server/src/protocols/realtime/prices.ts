/**
 * Price streams. Ticks are conflated per symbol: between two frames only the last one counts, and a frame is encoded
 * once for all sockets of its topic. Invariants: `prices` gets at most one frame a second and `prices:{symbol}` at most
 * four; after a frame was left out for a slow client, the next thing it gets is the whole present state, so no symbol
 * stays at an old price. Each frame of `prices` says whether trading is halted, and a halt or its end sends one at once.
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
export type IsTradingHalted = () => boolean;

interface SymbolStream {
  readonly channels: Set<Channel>;
  readonly unwatch: () => void;
}

/** What a frame brings; `halted` is told of `prices` alone, and left out of the text while trading goes on. */
interface Told {
  readonly ticks: readonly Tick[];
  readonly halted: true | undefined;
}

const priceFrame = (topic: string, payload: Told) =>
  new SharedFrame(topic, 'broadcast', { type: 'broadcast', event: 'tick', payload });

export class PriceStreams {
  readonly #market: PriceSource;
  readonly #isTradingHalted: IsTradingHalted;
  #wasHalted: boolean;
  readonly #all = new Set<Channel>();
  readonly #bySymbol = new Map<string, SymbolStream>();
  /** Symbols since the last frame of `prices`, and since the last beat. */
  readonly #changedThisSecond = new Map<string, Tick>();
  readonly #changedThisBeat = new Map<string, Tick>();
  /** Channels that a frame was left out for. */
  readonly #owed = new Set<Channel>();
  /** The present state for newcomers of `prices`, until the next tick. */
  #snapshot: SharedFrame | null = null;

  constructor(market: PriceSource, isTradingHalted: IsTradingHalted) {
    this.#market = market;
    this.#isTradingHalted = isTradingHalted;
    this.#wasHalted = isTradingHalted();
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
    this.#tellOfHalt(nowMs);
    for (const [symbol, tick] of this.#changedThisBeat) {
      this.#send(this.#bySymbol.get(symbol)?.channels, { ticks: [tick], halted: undefined }, nowMs);
    }
    this.#changedThisBeat.clear();
    if (beat % beatsPerSecond === 0 && this.#changedThisSecond.size > 0) {
      const ticks = [...this.#changedThisSecond.values()];
      this.#send(this.#all, { ticks, halted: this.#halted() }, nowMs);
      this.#changedThisSecond.clear();
    }
    for (const channel of this.#owed) {
      if (!channel.connection.isBehind(nowMs)) this.#sendSnapshot(channel, nowMs);
    }
  }

  #halted(): true | undefined {
    return this.#wasHalted || undefined;
  }

  /** Nobody waits for the next price to hear of it: after a halt there may be none. */
  #tellOfHalt(nowMs: number): void {
    const isHalted = this.#isTradingHalted();
    if (isHalted === this.#wasHalted) return;
    this.#wasHalted = isHalted;
    this.#snapshot = null;
    this.#send(this.#all, { ticks: this.#market.ticks(), halted: this.#halted() }, nowMs);
  }

  #send(channels: ReadonlySet<Channel> | undefined, told: Told, nowMs: number): void {
    let frame: SharedFrame | null = null;
    for (const channel of channels ?? []) {
      frame ??= priceFrame(channel.topic, told);
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

  /** The present state of the channel's topic; null before its first price, unless trading is halted. */
  #snapshotFor(channel: Channel): SharedFrame | null {
    const { topic, grant } = channel;
    const { prices } = grant;
    if (!prices) return null;
    if (prices.kind === 'prices' && this.#snapshot) return this.#snapshot;
    const all = this.#market.ticks();
    const ticks = prices.kind === 'prices' ? all : all.filter(({ symbol }) => symbol === prices.symbol);
    const halted = prices.kind === 'prices' ? this.#halted() : undefined;
    // The end of a halt may be what was left out.
    if (ticks.length === 0 && !halted && !this.#owed.has(channel)) return null;
    const frame = priceFrame(topic, { ticks, halted });
    if (prices.kind === 'prices') this.#snapshot = frame;
    return frame;
  }
}
