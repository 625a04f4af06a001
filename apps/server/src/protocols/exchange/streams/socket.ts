/** One socket of a bot: what it subscribes to, and how messages look there. */
import { TokenBucket } from '../../../platform/rate-limit/token-bucket.ts';
import { ClientSocket, type ClientSocketOptions } from '../../sockets/client-socket.ts';
import { message } from '../../sockets/message.ts';
import type { StreamLimits } from './limits.ts';

/** A message of one stream, encoded once for each of the two forms. */
export class StreamMessage {
  readonly #stream: string;
  readonly #json: string;
  #plain: Buffer | null = null;
  #wrapped: Buffer | null = null;

  constructor(stream: string, payload: unknown) {
    this.#stream = stream;
    this.#json = JSON.stringify(payload);
  }

  bytes(isCombined: boolean): Buffer {
    if (!isCombined) {
      this.#plain ??= message(Buffer.from(this.#json));
      return this.#plain;
    }
    this.#wrapped ??= message(Buffer.from(`{"stream":${JSON.stringify(this.#stream)},"data":${this.#json}}`));
    return this.#wrapped;
  }
}

interface StreamSocketOptions extends ClientSocketOptions {
  readonly isCombined: boolean;
  readonly limits: StreamLimits;
  readonly nowMs: number;
}

export class StreamSocket extends ClientSocket {
  readonly isCombined: boolean;
  /** Streams as the client wrote them. */
  readonly streams = new Set<string>();
  readonly requests: TokenBucket;
  /** Answers the messages of a socket for requests; null where they are subscriptions. */
  onRequest: ((bytes: Buffer) => Promise<void>) | null = null;
  lastReceivedAtMs: number;
  /** The client's address in full; `address` is what limits count. */
  ip = '';

  constructor(options: StreamSocketOptions) {
    super(options);
    this.isCombined = options.isCombined;
    this.requests = new TokenBucket(options.limits.requests, options.nowMs);
    this.lastReceivedAtMs = options.nowMs;
  }

  /** An answer to this client alone. */
  answer(body: object): void {
    this.write(message(Buffer.from(JSON.stringify(body))));
  }

  /** A market's message; false when it was dropped because the client is behind. */
  sendMarket(update: StreamMessage, nowMs: number): boolean {
    if (this.isBehind(nowMs)) return false;
    this.write(update.bytes(this.isCombined));
    return true;
  }

  /** An event of the account, which is never dropped. */
  sendEvent(update: StreamMessage): void {
    this.writeGathered(update.bytes(this.isCombined));
  }
}
