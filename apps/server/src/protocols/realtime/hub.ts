/**
 * The running state of `/realtime/v1`: connections, their channels, and what clients send. Invariants: nothing that a
 * client sends throws; a channel ends with its token or its session, within a second and at once; there is one timer
 * for all sockets.
 */

import type { Socket } from 'node:net';
import { AppError, type Caller, isActing, type SignedIn, texts } from '@fulcrum/contract';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Log } from '../../platform/log/index.ts';
import {
  type Accounts,
  accessTokenPayload,
  type Grant,
  grant,
  type JoinConfig,
  joinPayload,
  requireSender,
} from './access.ts';
import { authorizeBroadcast, type Broadcast, Broadcasts, pushedBroadcast } from './broadcasts.ts';
import { AccountChanges, type IsAssigned } from './changes.ts';
import { type Channel, Connection } from './connection.ts';
import { decode, type Frame, type Version } from './frames.ts';
import { Addresses, type Limits } from './limits.ts';
import { Presences } from './presence.ts';
import { beatsPerSecond, type PriceSource, PriceStreams } from './prices.ts';

const prefix = 'realtime:';
/** Close codes of RFC 6455 §7.4.1. */
const goingAway = 1001;
const invalidPayload = 1007;
const policyViolation = 1008;
/** How long a socket outlives its close frame. */
const beatsToGoodbye = 2;

export interface HubOptions {
  readonly accounts: Accounts;
  readonly bus: Bus;
  readonly market: PriceSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly isAssigned: IsAssigned;
  readonly limits: Limits;
}

export interface RealtimeState {
  readonly sockets: number;
  readonly channels: number;
  /** Clients cut since the start because they read too slowly. */
  readonly cut: number;
}

function parse<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError(
    'invalid_argument',
    `${issue?.path.join('.') || 'payload'}: ${issue?.message ?? 'invalid'}`,
  );
}

/** The payload of a `presence` frame; `track` carries what the client announces. */
const presencePayload = z.object({ event: z.enum(['track', 'untrack']), payload: z.unknown().optional() });
/** What a topic's own schema lets through is an object. */
const announcement = z.record(z.string(), z.unknown());

/** Whether a presence of `before` may stay under `after`: the same person in the same role, as themselves. */
const isSamePerson = (before: Caller, after: Caller): boolean =>
  before.role !== 'anon' && before.role === after.role && before.userId === after.userId && !isActing(after);

/** What a client is told; a fault of ours is logged and not told. */
const reasonOf = (error: unknown) => (error instanceof AppError ? error.message : texts.unexpectedError);

export class Hub {
  readonly addresses: Addresses;
  readonly #options: HubOptions;
  readonly #connections = new Set<Connection>();
  /** Connections that we closed, and the beat at which their sockets end. */
  readonly #dismissed = new Map<Connection, number>();
  readonly #prices: PriceStreams;
  readonly #changes: AccountChanges;
  readonly #broadcasts = new Broadcasts();
  readonly #presences: Presences;
  readonly #stops: (() => void)[];
  #channels = 0;
  #cut = 0;
  #beat = 0;

  constructor(options: HubOptions) {
    const { bus, log, limits, market } = options;
    this.#options = options;
    this.addresses = new Addresses(limits);
    this.#prices = new PriceStreams(market);
    this.#changes = new AccountChanges({
      isAssigned: options.isAssigned,
      waitingChanges: limits.waitingChanges,
      fail: (channel, reason) => this.#fail(channel, reason),
      log,
    });
    this.#presences = new Presences(limits);
    const timer = setInterval(() => this.#onBeat(), 1000 / beatsPerSecond);
    this.#stops = [
      () => clearInterval(timer),
      bus.subscribe('market.tick', (tick) => this.#prices.onTick(tick)),
      bus.subscribe('account.changed', ({ changes }) => this.#changes.announce(changes)),
      bus.subscribe('session.revoked', ({ sessionId }) =>
        this.#failAll((caller) => caller.sessionId === sessionId, 'The session has ended.'),
      ),
      bus.subscribe('acting.ended', ({ actingId }) =>
        this.#failAll((caller) => caller.actingId === actingId, 'Viewing as somebody else has ended.'),
      ),
    ];
  }

  get state(): RealtimeState {
    return { sockets: this.#connections.size, channels: this.#channels, cut: this.#cut };
  }

  /** Hands a broadcast that has been authorized to everybody on `topic`, which is without its prefix. */
  broadcast(topic: string, broadcast: Broadcast): void {
    this.#broadcasts.deliver(prefix + topic, broadcast, null);
  }

  /** Takes over an opened socket; `socket` is the one below `webSocket`. */
  accept(
    webSocket: WebSocket,
    socket: Socket,
    client: { address: string; apikey: string; version: Version },
  ): void {
    const { limits, clock, log } = this.#options;
    const connection = new Connection({
      ...client,
      webSocket,
      socket,
      limits,
      nowMs: clock.now(),
      onCut: ({ address, unsentBytes, channels }, reason) => {
        this.#cut += 1;
        log.warn({ address, unsentBytes, channels: channels.size }, `realtime client cut: ${reason}`);
      },
    });
    this.#connections.add(connection);
    webSocket.on('message', (bytes, isBinary) => {
      if (Buffer.isBuffer(bytes)) this.#receive(connection, bytes, isBinary);
    });
    // Answered by the library, or by nobody: each costs as much as an event.
    for (const control of ['ping', 'pong'] as const) {
      webSocket.on(control, () => this.#charge(connection));
    }
    webSocket.on('error', (error) =>
      log.debug({ err: error, address: client.address }, 'realtime socket failed'),
    );
    webSocket.on('close', () => this.#drop(connection));
  }

  /** Closes every socket and releases the bus and the timer. Sockets that do not answer within `graceMs` are cut off. */
  async stop(graceMs = 1000): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    for (const connection of this.#connections) connection.close(goingAway, 'the server is stopping');
    const deadline = Date.now() + graceMs;
    while (this.#connections.size > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (const connection of this.#connections) connection.terminate();
  }

  #drop(connection: Connection): void {
    this.#dismissed.delete(connection);
    if (!this.#connections.delete(connection)) return;
    for (const channel of connection.channels.values()) this.#leave(channel);
    this.addresses.close(connection.address);
  }

  /** Closes a socket. Its channels end now: a client that is gone would not answer the close for a while. */
  #close(connection: Connection, code: number, reason: string): void {
    for (const channel of connection.channels.values()) this.#leave(channel);
    connection.dismiss(code, reason);
    this.#dismissed.set(connection, this.#beat + beatsToGoodbye);
  }

  /** Counts an event; false when the socket has had its share, and closes it when it will not stop. */
  #charge(connection: Connection): boolean {
    if (!connection.isOpen) return false;
    const nowMs = this.#options.clock.now();
    connection.heardAtMs = nowMs;
    if (connection.events.take(nowMs)) return true;
    if (!connection.refusals.take(nowMs)) this.#close(connection, policyViolation, 'too many events');
    return false;
  }

  #receive(connection: Connection, bytes: Buffer, isBinary: boolean): void {
    const { log, limits } = this.#options;
    if (!connection.isOpen) return;
    const isWithinShare = this.#charge(connection);
    const frame = decode(bytes, isBinary, connection.version);
    if (!frame) {
      this.#close(connection, invalidPayload, 'not a frame');
      return;
    }
    try {
      if (!isWithinShare) {
        throw new AppError(
          'too_many_attempts',
          `Too many events: at most ${limits.eventsPerSecond} per second.`,
        );
      }
      this.#handle(connection, frame);
    } catch (error) {
      if (!(error instanceof AppError))
        log.error({ err: error, event: frame.event }, 'realtime event failed');
      connection.reply(frame, 'error', { reason: reasonOf(error) });
    }
  }

  #handle(connection: Connection, frame: Frame): void {
    if (frame.topic === 'phoenix' && frame.event === 'heartbeat') {
      connection.reply(frame, 'ok', {});
      return;
    }
    if (frame.event === 'phx_join') {
      this.#join(connection, frame);
      return;
    }
    const channel = connection.channels.get(frame.topic);
    // An event of an earlier join on the same topic must not reach the present one.
    const isStale = frame.joinRef !== null && frame.joinRef !== channel?.joinRef;
    if (frame.event === 'phx_leave') {
      if (channel && !isStale) this.#leave(channel);
      connection.reply(frame, 'ok', {});
      return;
    }
    if (!channel || isStale) throw new AppError('not_found', 'Join the topic first.');
    if (frame.event === 'access_token') this.#renew(channel, frame);
    else if (frame.event === 'broadcast') this.#broadcast(channel, frame);
    else if (frame.event === 'presence') this.#presence(channel, frame);
    else throw new AppError('not_allowed', `This topic takes no ${frame.event} from clients.`);
  }

  /** Answers only a client that joined with `ack`; the others do not wait, and are told of a refusal all the same. */
  #broadcast(channel: Channel, frame: Frame): void {
    const { connection, topic, config, grant } = channel;
    const { persist, ...broadcast } = parse(pushedBroadcast, frame.payload);
    const name = topic.slice(prefix.length);
    const { broadcastBytes } = this.#options.limits;
    authorizeBroadcast(grant.topic, name, grant.caller, broadcast, broadcastBytes);
    if (persist) throw new AppError('invalid_argument', 'Broadcasts are not kept: leave persist out.');
    this.#broadcasts.deliver(topic, broadcast, config.broadcast?.self ? null : channel);
    if (config.broadcast?.ack) connection.reply(frame, 'ok', {});
  }

  #presence(channel: Channel, frame: Frame): void {
    const { connection, topic, grant } = channel;
    const { presence } = grant.topic;
    const caller = requireSender(grant.caller, presence?.track, 'presence', topic.slice(prefix.length));
    const { event, payload } = parse(presencePayload, frame.payload);
    if (event === 'untrack') this.#presences.untrack(channel);
    else
      this.#presences.track(
        channel,
        caller,
        parse(presence?.payload.pipe(announcement) ?? z.never(), payload),
      );
    connection.reply(frame, 'ok', {});
  }

  #join(connection: Connection, frame: Frame): void {
    const { clock, limits } = this.#options;
    const { topic, joinRef, payload } = frame;
    const nowMs = clock.now();
    if (!this.addresses.attempt(connection.address, nowMs)) {
      throw new AppError('too_many_attempts', 'Too many joins. Please try again shortly.');
    }
    if (!topic.startsWith(prefix)) throw new AppError('not_found', `There is no topic ${topic}.`);
    const { access_token: accessToken, config } = parse(joinPayload, payload);
    const granted = this.#grant(connection, topic, config ?? {}, accessToken);
    const earlier = connection.channels.get(topic);
    if (earlier) this.#leave(earlier);
    if (connection.channels.size >= limits.channelsPerSocket) {
      throw new AppError(
        'too_many_attempts',
        `At most ${limits.channelsPerSocket} channels fit on a connection.`,
      );
    }
    const channel: Channel = { connection, topic, joinRef, config: config ?? {}, grant: granted };
    connection.channels.set(topic, channel);
    this.#channels += 1;
    this.#changes.add(channel);
    this.#broadcasts.add(channel);
    const subscribed = granted.subscriptions.map(({ id, request }) => ({ id, ...request }));
    connection.reply(frame, 'ok', { postgres_changes: subscribed });
    if (subscribed.length > 0) {
      connection.send({
        joinRef,
        ref: null,
        topic,
        event: 'system',
        payload: {
          extension: 'postgres_changes',
          status: 'ok',
          message: 'Subscribed to PostgreSQL',
          channel: topic.slice(prefix.length),
        },
      });
    }
    if (channel.config.presence?.enabled) this.#presences.watch(channel);
    this.#prices.add(channel, nowMs);
  }

  #grant(
    connection: Connection,
    topic: string,
    config: JoinConfig,
    accessToken: string | null | undefined,
  ): Grant {
    const { accounts, limits } = this.#options;
    const credentials = { apikey: connection.apikey, accessToken };
    return grant(accounts, topic.slice(prefix.length), config, credentials, limits);
  }

  /** Judges the channel anew by its new token; a channel that the token does not carry fails. */
  #renew(channel: Channel, frame: Frame): void {
    const { connection, topic, config } = channel;
    const { access_token: accessToken } = parse(accessTokenPayload, frame.payload);
    try {
      const renewed = this.#grant(connection, topic, config, accessToken);
      if (!isSamePerson(channel.grant.caller, renewed.caller)) this.#presences.untrack(channel);
      this.#changes.remove(channel);
      channel.grant = renewed;
      this.#changes.add(channel);
    } catch (error) {
      this.#fail(channel, reasonOf(error));
      throw error;
    }
    connection.reply(frame, 'ok', {});
  }

  #leave(channel: Channel): void {
    const { connection, topic } = channel;
    if (connection.channels.get(topic) !== channel) return;
    connection.channels.delete(topic);
    this.#channels -= 1;
    this.#prices.remove(channel);
    this.#changes.remove(channel);
    this.#broadcasts.remove(channel);
    this.#presences.remove(channel);
  }

  /** Ends a channel so that its client joins again: `phx_error`, because `phx_close` would be final. */
  #fail(channel: Channel, reason: string): void {
    const { connection, topic, joinRef } = channel;
    if (connection.channels.get(topic) !== channel) return;
    this.#leave(channel);
    connection.send({ joinRef, ref: joinRef, topic, event: 'phx_error', payload: { reason } });
  }

  /** Fails every channel whose holder is one that `isEnded` names. */
  #failAll(isEnded: (caller: SignedIn) => boolean, reason: string): void {
    for (const connection of this.#connections) {
      for (const channel of connection.channels.values()) {
        const { caller } = channel.grant;
        if (caller.role !== 'anon' && isEnded(caller)) this.#fail(channel, reason);
      }
    }
  }

  #onBeat(): void {
    const nowMs = this.#options.clock.now();
    this.#beat += 1;
    this.#prices.flush(this.#beat, nowMs);
    this.#presences.flush();
    for (const [connection, endsAt] of this.#dismissed) {
      if (endsAt <= this.#beat) connection.terminate();
    }
    if (this.#beat % beatsPerSecond === 0) this.#sweep(nowMs);
  }

  #sweep(nowMs: number): void {
    const { silenceMs } = this.#options.limits;
    this.addresses.sweep(nowMs);
    for (const connection of this.#connections) {
      if (!connection.isOpen) continue;
      if (nowMs - connection.heardAtMs > silenceMs) {
        this.#close(connection, goingAway, `nothing heard for ${silenceMs / 1000} s`);
        continue;
      }
      connection.isBehind(nowMs);
      for (const channel of connection.channels.values()) {
        if (channel.grant.expiresAtMs <= nowMs) this.#fail(channel, 'The token has expired.');
      }
    }
  }
}
