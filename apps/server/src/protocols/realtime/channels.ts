/**
 * The joined channels and their streams: prices, row changes, broadcasts, presence. Invariant: a channel receives
 * everything that its grant allows from its reply on, and nothing after it left, failed or ended.
 */
import { type SignedIn, tradersChanged } from '@fulcrum/contract';
import type { Timers } from '../../platform/clock/index.ts';
import type { ClusterLink } from '../../platform/cluster/link.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { type ChannelGrant, isSameUser } from './access.ts';
import { type Broadcast, Broadcasts } from './broadcasts.ts';
import type { Channel, Connection } from './connection.ts';
import { isRemoved, removedBy } from './conversations.ts';
import { type Frame, prefix } from './frames.ts';
import { connectGateways, type Gateways } from './gateways.ts';
import type { Limits } from './limits.ts';
import { findLostHints } from './lost-hints.ts';
import { type PresenceListener, Presences } from './presence.ts';
import { type IsTradingHalted, type PriceSource, PriceStreams } from './prices.ts';
import { type IsAssigned, isNarrow, RowChangeStreams } from './row-change-streams.ts';

interface ChannelsOptions extends Pick<Services, 'bus' | 'log'> {
  readonly market: PriceSource;
  readonly isTradingHalted: IsTradingHalted;
  readonly isAssigned: IsAssigned;
  readonly limits: Limits;
  readonly connections: ReadonlySet<Connection>;
  /** Called with deleted conversations and accounts, before their channels end. */
  readonly onRemoved: (ids: ReadonlySet<string>) => void;
  readonly timers: Timers;
  /** In a cluster: its other gateways, and where lost messages show. */
  readonly cluster?: RealtimeCluster;
}

export interface RealtimeCluster {
  readonly link: ClusterLink;
  readonly db: Database;
}

export class Channels {
  readonly #broadcasts = new Broadcasts();
  readonly presences: Presences;
  readonly #connections: ReadonlySet<Connection>;
  readonly #prices: PriceStreams;
  readonly #changes: RowChangeStreams;
  readonly #onRemoved: ChannelsOptions['onRemoved'];
  readonly #gateways: Gateways | null;
  readonly #stops: (() => void)[];
  #count = 0;
  readonly #bus: Services['bus'];
  /** Ends of what each channel needs of other processes. */
  readonly #needs = new Map<Channel, readonly (() => void)[]>();

  constructor(options: ChannelsOptions) {
    const { bus, log, limits, market, isTradingHalted, isAssigned, connections, onRemoved } = options;
    const { cluster, timers } = options;
    this.#bus = bus;
    this.#connections = connections;
    this.#onRemoved = onRemoved;
    this.#prices = new PriceStreams(market, isTradingHalted);
    this.#changes = new RowChangeStreams({
      isAssigned,
      waitingChanges: limits.waitingChanges,
      fail: (channel, reason) => this.fail(channel, reason),
      log,
    });
    const listener: PresenceListener = {
      came: (topic, userId) => bus.publish('presence.came', { topic: topic.slice(prefix.length), userId }),
      left: (topic, userId) => bus.publish('presence.left', { topic: topic.slice(prefix.length), userId }),
    };
    this.presences = new Presences(limits, listener, cluster?.link.processId);
    this.#gateways = cluster
      ? connectGateways({
          ...{ link: cluster.link, timers, presences: this.presences },
          deliver: (topic, broadcast) => this.#broadcasts.deliver(topic, broadcast, null),
        })
      : null;
    this.#stops = [
      bus.subscribe('market.tick', (tick) => this.#prices.onTick(tick)),
      bus.subscribe('account.changed', ({ changes }) => {
        this.#changes.announce(changes);
        this.#endRemoved(removedBy(changes));
      }),
      bus.subscribe('traders.changed', ({ managerIds }) => {
        const broadcast = { event: tradersChanged, payload: {} };
        for (const id of managerIds) this.#broadcasts.deliver(`${prefix}user:${id}`, broadcast, null);
      }),
      bus.subscribe('session.revoked', ({ sessionId }) =>
        this.#failAll((caller) => caller.sessionId === sessionId, 'The session has ended.'),
      ),
      bus.subscribe('impersonation.ended', ({ impersonationId }) =>
        this.#failAll((caller) => caller.impersonationId === impersonationId, 'The impersonation has ended.'),
      ),
      ...(cluster
        ? [
            findLostHints({
              ...{ ...cluster, bus, timers, log },
              joined: () => this.#accounts(),
              conversations: () => this.#openConversations(),
              remove: (sessionIds) => this.#endRemoved(sessionIds),
              fail: (accountIds) =>
                this.#failAll(
                  ({ accountId }) => accountIds?.has(accountId) ?? true,
                  'Changes may have been lost.',
                ),
            }),
          ]
        : []),
    ];
  }

  get count(): number {
    return this.#count;
  }

  /** Price frames that slow clients did not get. */
  get droppedPrices(): number {
    return this.#prices.dropped;
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#gateways?.stop();
  }

  /** Delivers an authorized message of a client to all channels of `topic` (as on the wire) but `except`, at every gateway. */
  broadcast(topic: string, broadcast: Broadcast, except: Channel | null): void {
    this.#broadcasts.deliver(topic, broadcast, except);
    this.#gateways?.relayBroadcast(topic, broadcast);
  }

  /** Adds a channel, replaces an earlier one of its topic, and replies to its join. */
  enter(frame: Frame, channel: Channel, nowMs: number): void {
    const { connection, topic, joinRef, grant } = channel;
    const earlier = connection.channels.get(topic);
    if (earlier) this.leave(earlier);
    connection.channels.set(topic, channel);
    this.#needRows(channel);
    this.#count += 1;
    this.#changes.add(channel);
    this.#broadcasts.add(channel);
    const subscribed = grant.subscriptions.map(({ id, request }) => ({ id, ...request }));
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
    if (channel.config.presence?.enabled) this.presences.subscribe(channel);
    this.#prices.add(channel, nowMs);
  }

  /** Gives a channel another grant. */
  renew(channel: Channel, grant: ChannelGrant): void {
    if (!isSameUser(channel.grant.caller, grant.caller)) this.presences.untrack(channel);
    this.#changes.remove(channel);
    channel.grant = grant;
    this.#needRows(channel);
    this.#changes.add(channel);
  }

  leave(channel: Channel): void {
    const { connection, topic } = channel;
    if (connection.channels.get(topic) !== channel) return;
    connection.channels.delete(topic);
    this.#endNeeds(channel);
    this.#count -= 1;
    this.#prices.remove(channel);
    this.#changes.remove(channel);
    this.#broadcasts.remove(channel);
    this.presences.remove(channel);
  }

  /** Ends a channel so that its client joins again: `phx_error`, because `phx_close` would be final. */
  fail(channel: Channel, reason: string): void {
    const { connection, topic, joinRef } = channel;
    if (connection.channels.get(topic) !== channel) return;
    this.leave(channel);
    connection.send({ joinRef, ref: joinRef, topic, event: 'phx_error', payload: { reason } });
  }

  flush(beat: number, nowMs: number): void {
    this.#prices.flush(beat, nowMs);
    this.presences.flush();
    const changed = this.presences.takeChanged();
    this.#gateways?.announcePresence(changed);
  }

  /** Ends the channels of deleted conversations for good: a new join is pointless. */
  #endRemoved(removed: ReadonlySet<string>): void {
    if (removed.size === 0) return;
    this.#onRemoved(removed);
    for (const channel of this.#all()) {
      if (!channel.conversation || !isRemoved(removed, channel.conversation)) continue;
      this.leave(channel);
      const { connection, joinRef, topic } = channel;
      connection.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: {} });
    }
  }

  /** What the channel gets, and what ends its conversation, may be written by other processes. */
  #needRows(channel: Channel): void {
    const { grant, conversation } = channel;
    const { caller, subscriptions } = grant;
    const owners = new Set<string | null>(conversation ? [conversation.ownerId] : []);
    if (caller.role !== 'anon') {
      owners.add(caller.userId).add(caller.accountId);
      // Staff follow others.
      const isStaff = caller.role !== 'trader';
      if (isStaff && !isNarrow(caller, subscriptions)) owners.add(null);
    }
    // The new ones first: an owner whom both need stays subscribed, and no row in flight is lost.
    const needs = [...owners].map((ownerId) => this.#bus.needRows(ownerId));
    this.#endNeeds(channel);
    this.#needs.set(channel, needs);
  }

  #endNeeds(channel: Channel): void {
    for (const end of this.#needs.get(channel) ?? []) end();
    this.#needs.delete(channel);
  }

  #accounts(): ReadonlySet<string> {
    const callers = [...this.#all()].map(({ grant }) => grant.caller);
    return new Set(callers.flatMap((caller) => (caller.role === 'anon' ? [] : caller.accountId)));
  }

  #openConversations(): ReadonlySet<string> {
    return new Set([...this.#all()].flatMap(({ conversation }) => conversation?.sessionId ?? []));
  }

  /** Fails every channel whose caller matches `isEnded`. */
  #failAll(isEnded: (caller: SignedIn) => boolean, reason: string): void {
    for (const channel of this.#all()) {
      const { caller } = channel.grant;
      if (caller.role !== 'anon' && isEnded(caller)) this.fail(channel, reason);
    }
  }

  *#all(): Iterable<Channel> {
    for (const connection of this.#connections) yield* connection.channels.values();
  }
}
