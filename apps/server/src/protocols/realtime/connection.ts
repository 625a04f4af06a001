/**
 * One socket and its channels. Invariant: a client that does not read costs a bounded amount of memory: it misses price
 * frames while it is behind, and is disconnected when even the rest does not drain. Account changes are never dropped.
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { TokenBucket } from '../../platform/rate-limit/token-bucket.ts';
import type { ChannelGrant, JoinConfig } from './access.ts';
import type { Conversation } from './conversations.ts';
import { encode, type Frame, message, type Shared, type SharedFrame, type Version } from './frames.ts';
import type { Limits } from './limits.ts';

export interface Channel {
  readonly connection: Connection;
  /** As on the wire, with the `realtime:` prefix. */
  readonly topic: string;
  readonly joinRef: string | null;
  /** The configuration of the join; each new token is checked against it. */
  readonly config: JoinConfig;
  grant: ChannelGrant;
  /** Null on a topic that carries none. */
  readonly conversation: Conversation | null;
}

export interface ConnectionOptions {
  readonly webSocket: WebSocket;
  /** Below `webSocket`. */
  readonly socket: Socket;
  readonly address: string;
  readonly apikey: string;
  readonly version: Version;
  readonly limits: Limits;
  readonly nowMs: number;
  readonly onCut: (connection: Connection, reason: string) => void;
}

export class Connection {
  readonly address: string;
  /** Owner of the socket after a join with a session; until then it counts for its address. */
  userId: string | null = null;
  readonly apikey: string;
  readonly version: Version;
  readonly channels = new Map<string, Channel>();
  /** Topics with a pending join, and the frames that arrived for them since, oldest first. */
  readonly joining = new Map<string, Frame[]>();
  readonly events: TokenBucket;
  readonly refusals: TokenBucket;
  lastReceivedAtMs: number;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #limits: Limits;
  readonly #onCut: ConnectionOptions['onCut'];
  #behindSinceMs: number | null = null;

  constructor(options: ConnectionOptions) {
    const { limits, nowMs } = options;
    this.#webSocket = options.webSocket;
    this.#socket = options.socket;
    this.#limits = limits;
    this.#onCut = options.onCut;
    this.address = options.address;
    this.apikey = options.apikey;
    this.version = options.version;
    this.events = new TokenBucket(limits.events, nowMs);
    this.refusals = new TokenBucket(limits.refusals, nowMs);
    this.lastReceivedAtMs = nowMs;
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /** Bytes that the client has not read yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  holds(channel: Channel): boolean {
    return this.isOpen && this.channels.get(channel.topic) === channel;
  }

  /** Sends a frame that only this client gets. */
  send(frame: Frame): void {
    this.#write(message(encode(frame, this.version)));
  }

  /** Replies to `frame`; an event without a ref needs no reply. */
  reply(frame: Frame, status: 'ok' | 'error', response: object): void {
    if (frame.ref === null) return;
    this.send({ ...frame, event: 'phx_reply', payload: { status, response } });
  }

  /** Sends a frame that must not be dropped, to the channel that joined with `joinRef`. */
  sendShared(frame: Shared, joinRef: string | null): void {
    const bytes = frame.bytes(this.version, joinRef);
    if (!bytes) return;
    this.#gather();
    this.#write(bytes);
  }

  /** Sends a price frame; false when it was dropped because the client is behind. */
  sendPrices(frame: SharedFrame, nowMs: number): boolean {
    if (!this.isOpen) return true;
    if (this.isBehind(nowMs)) return false;
    this.#write(frame.bytes(this.version, null));
    return true;
  }

  /** Whether the client is behind; disconnects it when that lasts too long. */
  isBehind(nowMs: number): boolean {
    if (this.unsentBytes <= this.#limits.behindBytes) {
      this.#behindSinceMs = null;
      return false;
    }
    this.#behindSinceMs ??= nowMs;
    if (nowMs - this.#behindSinceMs > this.#limits.behindMs) this.#cut('behind for too long');
    return true;
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  /**
   * Closes without waiting for the client. Later input is not read any more: it would cost as much as before and count
   * nowhere. `terminate` follows when the close frame has had time to arrive.
   */
  dismiss(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.close(code, reason);
    this.#webSocket.pause();
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  /**
   * Writes a whole message past the library, which would create a header, an options object and two writes per socket. That
   * is safe because the library also writes whole messages, compresses nothing and buffers none.
   */
  #write(bytes: Buffer): void {
    if (!this.isOpen) return;
    this.#socket.write(bytes);
    if (this.unsentBytes > this.#limits.cutBytes) this.#cut('too many unsent bytes');
  }

  /** Combines all writes of one tick of the event loop: a batch may have many changes for one trader. */
  #gather(): void {
    const socket = this.#socket;
    if (socket.writableCorked > 0) return;
    socket.cork();
    process.nextTick(() => socket.uncork());
  }

  #cut(reason: string): void {
    if (!this.isOpen) return;
    this.#onCut(this, reason);
    this.terminate();
  }
}
