/**
 * The running state of `/realtime/v1`: connections, their channels, and what clients send. Invariants: nothing that a
 * client sends throws; a channel ends with its token or its session, within a second and at once; there is one timer
 * for all sockets.
 */

import type { Socket } from 'node:net';
import { AppError, texts } from '@fulcrum/contract';
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
  requirePart,
  requireSender,
} from './access.ts';
import { authorizeBroadcast, type Broadcast, pushedBroadcast } from './broadcasts.ts';
import type { IsAssigned } from './changes.ts';
import { Channels } from './channels.ts';
import { type Channel, Connection } from './connection.ts';
import { type ChatOwner, type Conversation, Conversations } from './conversations.ts';
import { decode, type Frame, prefix, type Version } from './frames.ts';
import { Addresses, type Limits } from './limits.ts';
import { announcement, parse, presencePayload } from './payloads.ts';
import { beatsPerSecond, type IsTradingHalted, type PriceSource } from './prices.ts';

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
  readonly isTradingHalted: IsTradingHalted;
  readonly clock: Clock;
  readonly log: Log;
  readonly isAssigned: IsAssigned;
  readonly chatOwner: ChatOwner;
  readonly limits: Limits;
}

export interface RealtimeState {
  readonly sockets: number;
  readonly channels: number;
  /** Clients cut since the start because they read too slowly. */
  readonly cut: number;
}

/** What a client is told; a fault of ours is logged and not told. */
const reasonOf = (error: unknown) => (error instanceof AppError ? error.message : texts.unexpectedError);

export class Hub {
  readonly addresses: Addresses;
  readonly #options: HubOptions;
  readonly #connections = new Set<Connection>();
  /** Connections that we closed, and the beat at which their sockets end. */
  readonly #dismissed = new Map<Connection, number>();
  readonly #channels: Channels;
  readonly #conversations: Conversations;
  readonly #timer: NodeJS.Timeout;
  #cut = 0;
  #beat = 0;

  constructor(options: HubOptions) {
    this.#options = options;
    this.addresses = new Addresses(options.limits);
    this.#conversations = new Conversations(options.chatOwner);
    this.#channels = new Channels({
      ...options,
      connections: this.#connections,
      onRemoved: (ids) => this.#conversations.forget(ids),
    });
    this.#timer = setInterval(() => this.#onBeat(), 1000 / beatsPerSecond);
  }

  get state(): RealtimeState {
    return { sockets: this.#connections.size, channels: this.#channels.count, cut: this.#cut };
  }

  /** Hands a broadcast that has been authorized to everybody on `topic`, which is without its prefix. */
  broadcast(topic: string, broadcast: Broadcast): void {
    this.#channels.broadcasts.deliver(prefix + topic, broadcast, null);
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
    clearInterval(this.#timer);
    this.#channels.stop();
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
    for (const channel of connection.channels.values()) this.#channels.leave(channel);
    this.addresses.close(connection.address);
  }

  /** Closes a socket. Its channels end now: a client that is gone would not answer the close for a while. */
  #close(connection: Connection, code: number, reason: string): void {
    for (const channel of connection.channels.values()) this.#channels.leave(channel);
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
    const { limits } = this.#options;
    if (!connection.isOpen) return;
    const isWithinShare = this.#charge(connection);
    const frame = decode(bytes, isBinary, connection.version);
    if (!frame) {
      this.#close(connection, invalidPayload, 'not a frame');
      return;
    }
    this.#answer(connection, frame, () => {
      if (!isWithinShare) {
        throw new AppError(
          'too_many_attempts',
          `Too many events: at most ${limits.eventsPerSecond} per second.`,
        );
      }
      this.#handleInTurn(connection, frame);
    });
  }

  /** Does what `frame` asks for; a refusal or a fault is its answer. */
  #answer(connection: Connection, frame: Frame, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof AppError))
        this.#options.log.error({ err: error, event: frame.event }, 'realtime event failed');
      connection.reply(frame, 'error', { reason: reasonOf(error) });
    }
  }

  /** What arrives for a topic whose join is still being decided waits for that. */
  #handleInTurn(connection: Connection, frame: Frame): void {
    const line = connection.joining.get(frame.topic);
    if (!line) {
      this.#handle(connection, frame);
      return;
    }
    if (line.length >= this.#options.limits.waitingEvents) {
      throw new AppError('too_many_attempts', 'Too many events are waiting for the join.');
    }
    line.push(frame);
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
      if (channel && !isStale) this.#channels.leave(channel);
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
    this.#channels.broadcasts.deliver(topic, broadcast, config.broadcast?.self ? null : channel);
    if (config.broadcast?.ack) connection.reply(frame, 'ok', {});
  }

  #presence(channel: Channel, frame: Frame): void {
    const { connection, topic, grant } = channel;
    const { presence } = grant.topic;
    const caller = requireSender(grant.caller, presence?.track, 'presence', topic.slice(prefix.length));
    const { event, payload } = parse(presencePayload, frame.payload);
    if (event === 'untrack') this.#channels.presences.untrack(channel);
    else
      this.#channels.presences.track(
        channel,
        caller,
        parse(presence?.payload.pipe(announcement) ?? z.never(), payload),
      );
    connection.reply(frame, 'ok', {});
  }

  #join(connection: Connection, frame: Frame): void {
    const { topic, joinRef, payload } = frame;
    if (!this.addresses.attempt(connection.address, this.#options.clock.now())) {
      throw new AppError('too_many_attempts', 'Too many joins. Please try again shortly.');
    }
    if (!topic.startsWith(prefix)) throw new AppError('not_found', `There is no topic ${topic}.`);
    const { access_token: accessToken, config } = parse(joinPayload, payload);
    this.#requireRoom(connection, topic);
    const ask = () => this.#grant(connection, topic, config ?? {}, accessToken);
    const granted = ask();
    const enter = (present: Grant, conversation: Conversation | null) =>
      this.#channels.enter(
        frame,
        { connection, topic, joinRef, config: config ?? {}, grant: present, conversation },
        this.#options.clock.now(),
      );
    if (granted.conversationId === null) enter(granted, null);
    else void this.#joinConversation(connection, frame, granted.conversationId, ask, enter);
  }

  #requireRoom(connection: Connection, topic: string): void {
    const { channelsPerSocket } = this.#options.limits;
    const others = new Set([...connection.channels.keys(), ...connection.joining.keys()]);
    others.delete(topic);
    if (others.size < channelsPerSocket) return;
    throw new AppError('too_many_attempts', `At most ${channelsPerSocket} channels fit on a connection.`);
  }

  /**
   * Lets a channel in once it is known whose the conversation is. The token is judged anew then, for it may have ended
   * meanwhile; what arrived for the topic in between follows in its order, a leave too.
   */
  async #joinConversation(
    connection: Connection,
    frame: Frame,
    sessionId: string,
    ask: () => Grant,
    enter: (present: Grant, conversation: Conversation) => void,
  ): Promise<void> {
    const { topic } = frame;
    const line: Frame[] = [];
    connection.joining.set(topic, line);
    const found = await this.#conversations.find(sessionId).then(
      (conversation) => () => conversation,
      (error: unknown) => () => {
        throw error;
      },
    );
    connection.joining.delete(topic);
    if (!connection.isOpen) return;
    this.#answer(connection, frame, () => {
      const conversation = found();
      const present = ask();
      requirePart(topic.slice(prefix.length), present.caller, conversation?.ownerId ?? null);
      if (conversation) enter(present, conversation);
    });
    for (const next of line) this.#answer(connection, next, () => this.#handleInTurn(connection, next));
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
      if (channel.conversation) {
        requirePart(topic.slice(prefix.length), renewed.caller, channel.conversation.ownerId);
      }
      this.#channels.renew(channel, renewed);
    } catch (error) {
      this.#channels.fail(channel, reasonOf(error));
      throw error;
    }
    connection.reply(frame, 'ok', {});
  }

  #onBeat(): void {
    const nowMs = this.#options.clock.now();
    this.#beat += 1;
    this.#channels.flush(this.#beat, nowMs);
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
        if (channel.grant.expiresAtMs <= nowMs) this.#channels.fail(channel, 'The token has expired.');
      }
    }
  }
}
