/** One socket and its channels. */
import { TokenBucket } from '../../platform/rate-limit/token-bucket.ts';
import { ClientSocket, type ClientSocketOptions } from '../sockets/client-socket.ts';
import { message } from '../sockets/message.ts';
import type { ChannelGrant, JoinConfig } from './access.ts';
import type { Conversation } from './conversations.ts';
import { encode, type Frame, type Shared, type SharedFrame, type Version } from './frames.ts';
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

export interface ConnectionOptions extends ClientSocketOptions {
  readonly apikey: string;
  readonly version: Version;
  readonly limits: Limits;
  readonly nowMs: number;
}

export class Connection extends ClientSocket {
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

  constructor(options: ConnectionOptions) {
    super(options);
    const { limits, nowMs } = options;
    this.apikey = options.apikey;
    this.version = options.version;
    this.events = new TokenBucket(limits.events, nowMs);
    this.refusals = new TokenBucket(limits.refusals, nowMs);
    this.lastReceivedAtMs = nowMs;
  }

  holds(channel: Channel): boolean {
    return this.isOpen && this.channels.get(channel.topic) === channel;
  }

  /** Sends a frame that only this client gets. */
  send(frame: Frame): void {
    this.write(message(encode(frame, this.version)));
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
    this.writeGathered(bytes);
  }

  /** Sends a price frame; false when it was dropped because the client is behind. */
  sendPrices(frame: SharedFrame, nowMs: number): boolean {
    if (!this.isOpen) return true;
    if (this.isBehind(nowMs)) return false;
    this.write(frame.bytes(this.version, null));
    return true;
  }
}
