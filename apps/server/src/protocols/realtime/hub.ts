/**
 * The running state of `/realtime/v1`: connections, their channels, and client events. Invariants: no client input throws;
 * a channel ends with its token or its session, within a second; one timer serves all sockets.
 */

import type { Socket } from 'node:net';
import { AppError, type Caller, texts } from '@fulcrum/contract';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Services } from '../../platform/services.ts';
import { Quotas } from '../sockets/quotas.ts';
import {
  type Authenticator,
  accessTokenPayload,
  authorizeJoin,
  type ChannelGrant,
  type JoinConfig,
  joinPayload,
  requireParticipant,
  requireSender,
} from './access.ts';
import { authorizeBroadcast, type Broadcast, pushedBroadcast } from './broadcasts.ts';
import { Channels, type RealtimeCluster } from './channels.ts';
import { type Channel, Connection } from './connection.ts';
import { type ChatOwner, type Conversation, Conversations } from './conversations.ts';
import { decode, type Frame, prefix, type Version } from './frames.ts';
import type { Limits } from './limits.ts';
import { announcement, parse, presencePayload } from './payloads.ts';
import { beatsPerSecond, type IsTradingHalted, type PriceSource } from './prices.ts';
import type { IsAssigned } from './row-change-streams.ts';

/** Close codes of RFC 6455 §7.4.1. */
const goingAway = 1001;
const invalidPayload = 1007;
const policyViolation = 1008;
/** How long a socket outlives its close frame. */
const closeGraceBeats = 2;

export interface HubOptions extends Pick<Services, 'bus' | 'clock' | 'timers' | 'log'> {
  readonly identity: Authenticator;
  readonly market: PriceSource;
  readonly isTradingHalted: IsTradingHalted;
  readonly isAssigned: IsAssigned;
  readonly chatOwner: ChatOwner;
  readonly limits: Limits;
  readonly cluster?: RealtimeCluster;
}

export interface RealtimeState {
  readonly sockets: number;
  readonly channels: number;
  /** Clients disconnected since the start because they read too slowly. */
  readonly cut: number;
  /** Price frames since the start that slow clients did not get; the next one they get has the present state. */
  readonly dropped: number;
}

/** The text for the client; faults are logged and not disclosed. */
const reasonOf = (error: unknown) => (error instanceof AppError ? error.message : texts.unexpectedError);

export class Hub {
  readonly addresses: Quotas;
  readonly #users: Quotas;
  readonly #options: HubOptions;
  readonly #connections = new Set<Connection>();
  /** Connections that the server closed, and the beat at which their sockets end. */
  readonly #dismissed = new Map<Connection, number>();
  readonly #channels: Channels;
  readonly #conversations: Conversations;
  readonly #timer: NodeJS.Timeout;
  #cut = 0;
  #beat = 0;

  constructor(options: HubOptions) {
    this.#options = options;
    const { socketsPerAddress, socketsPerUser, attempts, userAttempts, addresses: holders } = options.limits;
    this.addresses = new Quotas({ sockets: socketsPerAddress, attempts, holders });
    this.#users = new Quotas({ sockets: socketsPerUser, attempts: userAttempts, holders });
    this.#conversations = new Conversations(options.chatOwner);
    this.#channels = new Channels({
      ...options,
      connections: this.#connections,
      onRemoved: (ids) => this.#conversations.forget(ids),
    });
    this.#timer = setInterval(() => this.#onBeat(), 1000 / beatsPerSecond);
  }

  get state(): RealtimeState {
    const { count: channels, droppedPrices: dropped } = this.#channels;
    return { sockets: this.#connections.size, channels, cut: this.#cut, dropped };
  }

  /** Counts an attempt of the signed-in user, or of the address; false beyond the limit. */
  attempt(caller: Caller, address: string): boolean {
    const nowMs = this.#options.clock.now();
    // Counts for the actor, not for the impersonated user.
    if (caller.role !== 'anon') return this.#users.attempt(caller.actorId, nowMs);
    return this.addresses.attempt(address, nowMs);
  }

  /** Delivers an authorized broadcast to all channels of `topic`, which has no prefix. */
  broadcast(topic: string, broadcast: Broadcast): void {
    this.#channels.broadcast(prefix + topic, broadcast, null);
  }

  /** Takes over an opened socket; `socket` is the one below `webSocket`. */
  accept(
    webSocket: WebSocket,
    socket: Socket,
    client: { address: string; apikey: string; version: Version },
  ): void {
    const { limits, clock, log } = this.#options;
    const connection: Connection = new Connection({
      ...client,
      webSocket,
      socket,
      limits,
      nowMs: clock.now(),
      onCut: (reason) => {
        const { address, unsentBytes, channels } = connection;
        this.#cut += 1;
        log.warn({ address, unsentBytes, channels: channels.size }, `realtime client cut: ${reason}`);
      },
    });
    this.#connections.add(connection);
    webSocket.on('message', (bytes, isBinary) => {
      if (Buffer.isBuffer(bytes)) this.#receive(connection, bytes, isBinary);
    });
    // The library answers these, or no one does: each costs as much as an event.
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
    this.#release(connection);
  }

  /** Closes a socket. Its channels end now: a client that is gone would delay the close. */
  #close(connection: Connection, code: number, reason: string): void {
    for (const channel of connection.channels.values()) this.#channels.leave(channel);
    connection.dismiss(code, reason);
    this.#dismissed.set(connection, this.#beat + closeGraceBeats);
  }

  /** Counts an event; false beyond the socket's limit, and closes a socket that continues. */
  #charge(connection: Connection): boolean {
    if (!connection.isOpen) return false;
    const nowMs = this.#options.clock.now();
    connection.lastReceivedAtMs = nowMs;
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
          `Too many events: at most ${limits.events.perSecond} per second.`,
        );
      }
      this.#handleInOrder(connection, frame);
    });
  }

  /** Runs the action of `frame`; replies with a refusal or a fault. */
  #answer(connection: Connection, frame: Frame, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof AppError))
        this.#options.log.error({ err: error, event: frame.event }, 'realtime event failed');
      connection.reply(frame, 'error', { reason: reasonOf(error) });
    }
  }

  /** Queues frames of a topic while its join is pending. */
  #handleInOrder(connection: Connection, frame: Frame): void {
    const queue = connection.joining.get(frame.topic);
    if (!queue) {
      this.#handle(connection, frame);
      return;
    }
    if (queue.length >= this.#options.limits.waitingEvents) {
      throw new AppError('too_many_attempts', 'Too many events are waiting for the join.');
    }
    queue.push(frame);
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

  /** Replies only to a client that joined with `ack`; the others do not wait, but receive a refusal. */
  #broadcast(channel: Channel, frame: Frame): void {
    const { connection, topic, config, grant } = channel;
    const { persist, ...broadcast } = parse(pushedBroadcast, frame.payload);
    const name = topic.slice(prefix.length);
    const { broadcastBytes } = this.#options.limits;
    authorizeBroadcast(grant.topic, name, grant.caller, broadcast, broadcastBytes);
    if (persist) throw new AppError('invalid_argument', 'Broadcasts are not stored: omit persist.');
    this.#channels.broadcast(topic, broadcast, config.broadcast?.self ? null : channel);
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
    if (!this.attempt(this.#callerOf(connection, payload), connection.address)) {
      throw new AppError('too_many_attempts', 'Too many joins. Please try again shortly.');
    }
    if (!topic.startsWith(prefix)) throw new AppError('not_found', `There is no topic ${topic}.`);
    const { access_token: accessToken, config } = parse(joinPayload, payload);
    this.#requireRoom(connection, topic);
    const authorize = () => this.#grant(connection, topic, config ?? {}, accessToken);
    const granted = authorize();
    this.#countFor(connection, granted.caller);
    const enter = (present: ChannelGrant, conversation: Conversation | null) =>
      this.#channels.enter(
        frame,
        { connection, topic, joinRef, config: config ?? {}, grant: present, conversation },
        this.#options.clock.now(),
      );
    if (granted.conversationId === null) enter(granted, null);
    else void this.#joinConversation(connection, frame, granted.conversationId, authorize, enter);
  }

  /** Finds the caller of a join for the limits; null for an invalid payload or token, which the join then reports. */
  #callerOf({ apikey }: Connection, payload: unknown): Caller {
    const { access_token: accessToken } = joinPayload.safeParse(payload).data ?? {};
    if (!accessToken) return { role: 'anon' };
    try {
      return this.#options.identity.callerOf({ apikey, authorization: `Bearer ${accessToken}` });
    } catch (error) {
      if (error instanceof AppError) return { role: 'anon' };
      throw error;
    }
  }

  /** Counts the socket for the joining user from now on. @throws AppError when the user has too many */
  #countFor(connection: Connection, caller: Caller): void {
    if (caller.role === 'anon' || connection.userId === caller.actorId) return;
    if (!this.#users.open(caller.actorId)) {
      throw new AppError('too_many_attempts', 'Too many connections. Please try again shortly.');
    }
    this.#release(connection);
    connection.userId = caller.actorId;
  }

  #release({ userId, address }: Connection): void {
    if (userId === null) this.addresses.close(address);
    else this.#users.close(userId);
  }

  #requireRoom(connection: Connection, topic: string): void {
    const { channelsPerSocket } = this.#options.limits;
    const others = new Set([...connection.channels.keys(), ...connection.joining.keys()]);
    others.delete(topic);
    if (others.size < channelsPerSocket) return;
    throw new AppError('too_many_attempts', `At most ${channelsPerSocket} channels fit on a connection.`);
  }

  /**
   * Admits a channel once the conversation's trader is known. The token is checked again, because it may have expired
   * meanwhile; frames for the topic in between follow in order, a leave too.
   */
  async #joinConversation(
    connection: Connection,
    frame: Frame,
    sessionId: string,
    authorize: () => ChannelGrant,
    enter: (present: ChannelGrant, conversation: Conversation) => void,
  ): Promise<void> {
    const { topic } = frame;
    const queue: Frame[] = [];
    connection.joining.set(topic, queue);
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
      const present = authorize();
      requireParticipant(topic.slice(prefix.length), present.caller, conversation?.ownerId ?? null);
      if (conversation) enter(present, conversation);
    });
    for (const next of queue) this.#answer(connection, next, () => this.#handleInOrder(connection, next));
  }

  #grant(
    connection: Connection,
    topic: string,
    config: JoinConfig,
    accessToken: string | null | undefined,
  ): ChannelGrant {
    const { identity, limits } = this.#options;
    const credentials = { apikey: connection.apikey, accessToken };
    return authorizeJoin(identity, topic.slice(prefix.length), config, credentials, limits);
  }

  /** Checks the channel against its new token; a channel without a grant fails. */
  #renew(channel: Channel, frame: Frame): void {
    const { connection, topic, config } = channel;
    const { access_token: accessToken } = parse(accessTokenPayload, frame.payload);
    try {
      const renewed = this.#grant(connection, topic, config, accessToken);
      if (channel.conversation) {
        requireParticipant(topic.slice(prefix.length), renewed.caller, channel.conversation.ownerId);
      }
      // The channel was joined without a session or as another user: the new token is this user's first one here.
      const isNewcomer = renewed.caller.role !== 'anon' && connection.userId !== renewed.caller.actorId;
      if (isNewcomer && !this.attempt(renewed.caller, connection.address)) {
        throw new AppError('too_many_attempts', 'Too many joins. Please try again shortly.');
      }
      this.#countFor(connection, renewed.caller);
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
    this.#users.sweep(nowMs);
    for (const connection of this.#connections) {
      if (!connection.isOpen) continue;
      if (nowMs - connection.lastReceivedAtMs > silenceMs) {
        this.#close(connection, goingAway, `no message received for ${silenceMs / 1000} s`);
        continue;
      }
      connection.isBehind(nowMs);
      for (const channel of connection.channels.values()) {
        if (channel.grant.expiresAtMs <= nowMs) this.#channels.fail(channel, 'The token has expired.');
      }
    }
  }
}
