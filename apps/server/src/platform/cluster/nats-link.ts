/**
 * `ClusterLink` over core NATS. Subjects are below `fulcrum.<installation>.`. Invariants: a message that does not verify, was seen
 * before or is older than ten seconds is dropped and counted; what is published while NATS is away is dropped, never kept and sent
 * later; the end of a connection ends each request under way with `NoReply`. NATS delivers each frame at most once to a subscription.
 *
 * A connection of the client is used once: after its end a new one is made, with the subscriptions of then. The client's own
 * reconnection would send later what it was given meanwhile.
 *
 * Known limitations: who may publish on these subjects without the key can say that nobody serves one (a reply of the server has no
 * signature), and can read everything; docs/cluster.md says what follows. What a slow NATS does not take is in memory for up to 1.5
 * seconds, until the missing answers to pings end the connection.
 */
import { createSecretKey, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
// Types alone: the client is loaded by the first connection.
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Clock } from '../clock/index.ts';
import type { NatsServers } from '../config/nats.ts';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';
import { type ClusterLink, NoReply, NoResponders } from './link.ts';
import { openConnection } from './nats-link-connection.ts';
import { type DroppedMessages, FrameInbox, type Listener, type Receive } from './nats-link-inbox.ts';
import { Assembly, FrameWriter } from './signed-frames.ts';

interface NatsLinkOptions {
  readonly nats: NatsServers;
  /** Of this installation: others on the same NATS have other subjects. */
  readonly installation: string;
  /** 32 bytes. */
  readonly key: Buffer;
  /** Cluster time. */
  readonly clock: Clock;
  readonly log: Log;
}

export interface NatsLinkState {
  readonly isConnected: boolean;
  /** `host:port` of the connection, null without one. */
  readonly server: string | null;
  /** Connections that ended since the start. */
  readonly lostConnections: number;
  /** Frames that came by subscriptions since the start. */
  readonly received: number;
  /** Why there is no connection; null with one. */
  readonly reason: string | null;
  readonly dropped: DroppedMessages;
}

export interface NatsLink extends ClusterLink {
  /** @throws StartError when no server takes the connection within ten seconds */
  start(): Promise<void>;
  stop(): Promise<void>;
  state(): NatsLinkState;
}

type Handler = (payload: unknown) => unknown;

/** What this process wants of one subject, served by at most one subscription. */
interface Interest {
  readonly listeners: Set<Listener>;
  readonly handlers: Set<Handler>;
  subscription: Subscription | null;
}

interface Outgoing {
  readonly subject: string;
  readonly replyTo: string;
  readonly frame: Buffer;
}

interface PendingRequest {
  readonly subject: string;
  readonly assembly: Assembly;
  readonly resolve: (payload: unknown) => void;
  readonly reject: (error: Error) => void;
}

const startWithinMs = 10_000;
const redialAfterMs = 100;
const farewellWithinMs = 500;
/** Of the server's reply that nobody serves the subject. */
const noRespondersStatus = 503;

export const createNatsLink = (options: NatsLinkOptions): NatsLink => new Link(options);

class Link implements NatsLink {
  readonly processId: string = randomUUID();
  readonly #options: NatsLinkOptions;
  readonly #prefix: string;
  readonly #replies: string;
  readonly #writer: FrameWriter;
  readonly #interests = new Map<string, Interest>();
  readonly #requests = new Map<number, PendingRequest>();
  readonly #inbox: FrameInbox;
  readonly #connectionListeners = new Set<(isConnected: boolean) => void>();
  #unsent = 0;
  /** Frames of this step of the event loop: one write to the socket costs as much as signing several of them. */
  #outbox: Outgoing[] = [];
  #connection: NatsConnection | null = null;
  #lostConnections = 0;
  #received = 0;
  #reason: string | null = 'not started';
  #lastRequest = 0;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: NatsLinkOptions) {
    this.#options = options;
    this.#prefix = `fulcrum.${options.installation}.`;
    this.#replies = `${this.#prefix}reply.${this.processId}.`;
    const key = createSecretKey(options.key);
    this.#writer = new FrameWriter(key, this.processId, options.clock);
    this.#inbox = new FrameInbox(key, options);
  }

  async start(): Promise<void> {
    this.#running = this.#keepConnected();
    const deadline = performance.now() + startWithinMs;
    while (this.#connection === null && performance.now() < deadline) await sleep(10);
    if (this.#connection !== null) return;
    await this.stop();
    throw new StartError(`NATS_URL: NATS cannot be used: ${this.#reason}`);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const connection = this.#connection;
    if (connection !== null) {
      // What was published last still goes out.
      this.#flushOutbox();
      await Promise.race([connection.flush().catch(() => undefined), sleep(farewellWithinMs)]);
      await connection.close();
    }
    await this.#running;
  }

  state(): NatsLinkState {
    return {
      isConnected: this.isConnected(),
      server: this.#connection?.getServer() ?? null,
      lostConnections: this.#lostConnections,
      received: this.#received,
      reason: this.#reason,
      dropped: { ...this.#inbox.dropped, unsent: this.#unsent },
    };
  }

  isConnected(): boolean {
    return this.#connection !== null;
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.#connectionListeners.add(listener);
    return () => void this.#connectionListeners.delete(listener);
  }

  /** @throws MessageTooLarge */
  publish(subject: string, payload: unknown): void {
    if (this.#connection === null) this.#unsent += 1;
    else this.#send(this.#prefix + subject, payload);
  }

  request(subject: string, payload: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#connection === null) return Promise.reject(new NoReply(subject));
    this.#lastRequest += 1;
    const number = this.#lastRequest;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#requests.delete(number);
      };
      const pending: PendingRequest = {
        subject,
        assembly: new Assembly(),
        resolve: (answer) => {
          end();
          resolve(answer);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      const timer = setTimeout(() => pending.reject(new NoReply(subject)), timeoutMs);
      this.#requests.set(number, pending);
      try {
        this.#send(this.#prefix + subject, payload, `${this.#replies}${number}`);
      } catch (error) {
        pending.reject(error as Error);
      }
    });
  }

  subscribe(subject: string, receive: Receive): () => void {
    const own: Listener = { receive };
    const interest = this.#interestIn(subject);
    interest.listeners.add(own);
    return () => {
      interest.listeners.delete(own);
      this.#forgetUnused(subject, interest);
    };
  }

  serve(subject: string, handler: Handler): () => void {
    const own: Handler = (payload) => handler(payload);
    const interest = this.#interestIn(subject);
    interest.handlers.add(own);
    return () => {
      interest.handlers.delete(own);
      this.#forgetUnused(subject, interest);
    };
  }

  #interestIn(subject: string): Interest {
    const known = this.#interests.get(subject);
    if (known) return known;
    const interest: Interest = { listeners: new Set(), handlers: new Set(), subscription: null };
    this.#interests.set(subject, interest);
    if (this.#connection) this.#take(this.#connection, subject, interest);
    return interest;
  }

  #forgetUnused(subject: string, { listeners, handlers, subscription }: Interest): void {
    if (listeners.size + handlers.size > 0) return;
    this.#interests.delete(subject);
    subscription?.unsubscribe();
  }

  /** Frames of one message go out together, so that its parts arrive one after the other. @throws MessageTooLarge */
  #send(subject: string, payload: unknown, replyTo = ''): void {
    const frames = this.#writer.write(subject, replyTo, payload);
    if (this.#outbox.length === 0) setImmediate(() => this.#flushOutbox());
    for (const frame of frames) this.#outbox.push({ subject, replyTo, frame });
  }

  #flushOutbox(): void {
    const frames = this.#outbox;
    this.#outbox = [];
    for (const { subject, replyTo, frame } of frames) {
      try {
        this.#connection?.publish(subject, frame, replyTo === '' ? {} : { reply: replyTo });
      } catch (error) {
        // The connection ends in this moment; a request under way learns of it with all others.
        this.#unsent += 1;
        this.#options.log.debug({ err: error }, 'a message was not sent');
      }
    }
  }

  // Receiving

  #take(connection: NatsConnection, subject: string, interest: Interest): void {
    interest.subscription = connection.subscribe(this.#prefix + subject, {
      callback: (error, message) => {
        if (error === null) this.#receive(message, interest);
        else this.#options.log.warn({ err: error, subject }, 'NATS refuses a subscription');
      },
    });
  }

  /** Takes every interest but those of `taken`, and adds them there. */
  #takeMissing(connection: NatsConnection, taken: Set<Interest>): Set<Interest> {
    for (const [subject, interest] of this.#interests) {
      if (!taken.has(interest)) this.#take(connection, subject, interest);
      taken.add(interest);
    }
    return taken;
  }

  #receive(message: Msg, interest: Interest): void {
    const subject = message.subject.slice(this.#prefix.length);
    this.#received += 1;
    const { listeners, handlers } = interest;
    if (handlers.size === 0 && this.#inbox.isGiven(message, listeners)) return;
    const frame = this.#inbox.accept(message);
    if (frame === null) return;
    const payload = this.#inbox.read(frame, message.sid);
    if (payload === undefined) return;
    const given = this.#inbox.givenOf(frame);
    for (const { receive } of [...listeners]) {
      if (given?.includes(receive)) continue;
      given?.push(receive);
      this.#guard(subject, () => receive(payload, subject));
    }
    if (message.reply) for (const handler of handlers) this.#answer(handler, payload, message.reply);
  }

  #answer(handler: Handler, payload: unknown, replyTo: string): void {
    const reply = (answer: unknown) => {
      if (this.#connection) this.#send(replyTo, answer);
    };
    const fail = (error: unknown) =>
      this.#options.log.error({ err: error }, 'a request of another process failed');
    try {
      const answer = handler(payload);
      if (answer instanceof Promise) answer.then(reply).catch(fail);
      else reply(answer);
    } catch (error) {
      fail(error);
    }
  }

  #receiveReply(message: Msg): void {
    const pending = this.#requests.get(Number(message.subject.slice(this.#replies.length)));
    if (!pending) return;
    if (message.data.length === 0 && message.headers?.code === noRespondersStatus) {
      pending.reject(new NoResponders(pending.subject));
      return;
    }
    const frame = this.#inbox.accept(message);
    const json = frame && pending.assembly.add(frame);
    if (json) pending.resolve(this.#inbox.parse(json));
  }

  #guard(subject: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error({ err: error, subject }, 'a listener to another process failed');
    }
  }

  // Connecting

  async #keepConnected(): Promise<void> {
    const { addresses } = this.#options.nats;
    const { signal } = this.#stopping;
    for (let attempt = randomInt(addresses.length); !signal.aborted; attempt += 1) {
      const address = addresses[attempt % addresses.length];
      try {
        if (address) await this.#holdConnection(address);
      } catch (error) {
        this.#reason = `${address?.host}:${address?.port}: ${(error as Error).message}`;
        this.#options.log.debug({ err: error }, 'NATS cannot be reached');
      }
      await sleep(redialAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection is over. @throws Error when there is none */
  async #holdConnection(address: NatsServers['addresses'][number]): Promise<void> {
    const { nats, log } = this.#options;
    const connection = await openConnection(nats, address, `fulcrum ${this.processId}`);
    const isOver = this.#observe(connection);
    try {
      connection.subscribe(`${this.#replies}*`, {
        callback: (_error, message) => this.#receiveReply(message),
      });
      const taken = this.#takeMissing(connection, new Set());
      await Promise.race([connection.flush(), isOver]);
      if (connection.isClosed() || this.#stopping.signal.aborted) return;
      // In one step: from now on a new interest is taken as it comes. These came during the flush.
      this.#takeMissing(connection, taken);
      this.#connection = connection;
      this.#reason = null;
      log.info({ server: connection.getServer() }, 'connected to NATS');
      this.#notifyListeners(true);
      await isOver;
    } finally {
      this.#drop(connection);
      await connection.close();
    }
  }

  /** Resolves as soon as the connection is known to be lost. */
  async #observe(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'error') this.#options.log.warn({ err: status.error }, 'NATS reports an error');
      const isOver = ['staleConnection', 'disconnect', 'close'].includes(status.type);
      if (!isOver) continue;
      // In the same step: nothing may be given to a connection that is over.
      this.#drop(connection, status.type);
      return;
    }
  }

  #drop(connection: NatsConnection, reason = 'closed'): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#unsent += this.#outbox.length;
    this.#outbox = [];
    this.#lostConnections += 1;
    this.#reason = reason;
    for (const interest of this.#interests.values()) interest.subscription = null;
    if (!this.#stopping.signal.aborted) this.#options.log.warn({ reason }, 'the connection to NATS is lost');
    for (const request of [...this.#requests.values()]) request.reject(new NoReply(request.subject));
    this.#notifyListeners(false);
  }

  #notifyListeners(isConnected: boolean): void {
    for (const listener of [...this.#connectionListeners])
      this.#guard('connection', () => listener(isConnected));
  }
}
