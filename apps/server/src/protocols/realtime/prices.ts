/**
 * Price streams. Ticks are conflated per symbol: between two frames only the last one counts, and a frame is encoded once
 * for all sockets of its topic. Invariants: `prices` gets at most one frame a second and `prices:{symbol}` at most four.
 * After a dropped frame the next one contains the whole present state, so no symbol stays at an old price. Each frame of
 * `prices` states whether trading is halted and the clock of a replay; a change of the halt sends one at once.
 *
 * Known limitation: all topics share a grid of 250 ms, so a tick waits up to that long.
 */
import type { RecordedClock, Tick } from '@fulcrum/contract';
import type { Channel } from './connection.ts';
import { SharedFrame } from './frames.ts';

/** The grid: each beat may send symbol frames, each `beatsPerSecond`-th also frames of `prices`. */
export const beatsPerSecond = 4;

/** The market, as far as streams need it. */
export interface PriceSource {
  ticks(): readonly Tick[];
  /** The clock of a replay; null without one. */
  recordedClock(): RecordedClock | null;
  /** Registers interest in a symbol; the returned function ends it. */
  follow(symbol: string): () => void;
  /** Registers interest in all symbols; the returned function ends it. */
  followAll(): () => void;
}
export type IsTradingHalted = () => boolean;

interface SymbolStream {
  readonly channels: Set<Channel>;
  readonly unwatch: () => void;
}

/** The content of a frame. Undefined fields are left out. */
interface PricePayload {
  readonly ticks: readonly Tick[];
  readonly halted?: true | undefined;
  readonly replay?: RecordedClock | undefined;
}

const priceFrame = (topic: string, payload: PricePayload) =>
  new SharedFrame(topic, 'broadcast', { type: 'broadcast', event: 'tick', payload });

export class PriceStreams {
  readonly #market: PriceSource;
  readonly #isTradingHalted: IsTradingHalted;
  #wasHalted: boolean;
  readonly #all = new Set<Channel>();
  #unwatchAll: (() => void) | null = null;
  readonly #bySymbol = new Map<string, SymbolStream>();
  /** Symbols since the last frame of `prices`, and since the last beat. */
  readonly #changedThisSecond = new Map<string, Tick>();
  readonly #changedThisBeat = new Map<string, Tick>();
  /** Channels that missed a frame. */
  readonly #skipped = new Set<Channel>();
  #dropped = 0;
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
      this.#unwatchAll ??= this.#market.followAll();
    } else {
      this.#streamOf(prices.symbol).channels.add(channel);
    }
    this.#sendSnapshot(channel, nowMs);
  }

  #streamOf(symbol: string): SymbolStream {
    const known = this.#bySymbol.get(symbol);
    if (known) return known;
    const stream = { channels: new Set<Channel>(), unwatch: this.#market.follow(symbol) };
    this.#bySymbol.set(symbol, stream);
    return stream;
  }

  remove(channel: Channel): void {
    this.#skipped.delete(channel);
    const { prices } = channel.grant;
    if (prices?.kind === 'prices') this.#removeFromAll(channel);
    if (prices?.kind === 'prices-of-symbol') {
      const stream = this.#bySymbol.get(prices.symbol);
      stream?.channels.delete(channel);
      if (stream?.channels.size !== 0) return;
      stream.unwatch();
      this.#bySymbol.delete(prices.symbol);
    }
  }

  #removeFromAll(channel: Channel): void {
    this.#all.delete(channel);
    if (this.#all.size > 0) return;
    this.#unwatchAll?.();
    this.#unwatchAll = null;
    this.#changedThisSecond.clear();
  }

  /** Price frames since the start that clients which were behind did not get. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The first frame of a new channel has the earlier ticks. */
  onTick(tick: Tick): void {
    this.#snapshot = null;
    if (this.#all.size > 0) this.#changedThisSecond.set(tick.symbol, tick);
    if (this.#bySymbol.has(tick.symbol)) this.#changedThisBeat.set(tick.symbol, tick);
  }

  /** Sends what changed. Called once per beat; `beat` counts them. */
  flush(beat: number, nowMs: number): void {
    this.#sendHaltChange(nowMs);
    for (const [symbol, tick] of this.#changedThisBeat) {
      this.#send(this.#bySymbol.get(symbol)?.channels, { ticks: [tick] }, nowMs);
    }
    this.#changedThisBeat.clear();
    if (beat % beatsPerSecond === 0 && this.#changedThisSecond.size > 0) {
      const ticks = [...this.#changedThisSecond.values()];
      this.#send(this.#all, { ticks, ...this.#marketStatus() }, nowMs);
      this.#changedThisSecond.clear();
    }
    for (const channel of this.#skipped) {
      if (!channel.connection.isBehind(nowMs)) this.#sendSnapshot(channel, nowMs);
    }
  }

  /** The fields of `prices` alone. */
  #marketStatus(): Omit<PricePayload, 'ticks'> {
    return { halted: this.#wasHalted || undefined, replay: this.#market.recordedClock() ?? undefined };
  }

  /** A halt change is sent without a price: after a halt there may be none. */
  #sendHaltChange(nowMs: number): void {
    const isHalted = this.#isTradingHalted();
    if (isHalted === this.#wasHalted) return;
    this.#wasHalted = isHalted;
    this.#snapshot = null;
    this.#send(this.#all, { ticks: this.#market.ticks(), ...this.#marketStatus() }, nowMs);
  }

  #send(channels: ReadonlySet<Channel> | undefined, payload: PricePayload, nowMs: number): void {
    let frame: SharedFrame | null = null;
    for (const channel of channels ?? []) {
      frame ??= priceFrame(channel.topic, payload);
      if (this.#skipped.has(channel)) this.#dropped += 1;
      else this.#sendTo(channel, frame, nowMs);
    }
  }

  #sendTo(channel: Channel, frame: SharedFrame, nowMs: number): void {
    if (channel.connection.sendPrices(frame, nowMs)) this.#skipped.delete(channel);
    else {
      this.#skipped.add(channel);
      this.#dropped += 1;
    }
  }

  #sendSnapshot(channel: Channel, nowMs: number): void {
    const frame = this.#snapshotFor(channel);
    if (frame) this.#sendTo(channel, frame, nowMs);
    else this.#skipped.delete(channel);
  }

  /** The present state of the channel's topic; null before its first price, unless trading is halted. */
  #snapshotFor(channel: Channel): SharedFrame | null {
    const { topic, grant } = channel;
    const { prices } = grant;
    if (!prices) return null;
    if (prices.kind === 'prices' && this.#snapshot) return this.#snapshot;
    const all = this.#market.ticks();
    const ticks = prices.kind === 'prices' ? all : all.filter(({ symbol }) => symbol === prices.symbol);
    const payload = prices.kind === 'prices' ? this.#marketStatus() : {};
    // The dropped frame may have been the end of a halt.
    if (ticks.length === 0 && !payload.halted && !this.#skipped.has(channel)) return null;
    const frame = priceFrame(topic, { ticks, ...payload });
    if (prices.kind === 'prices') this.#snapshot = frame;
    return frame;
  }
}
