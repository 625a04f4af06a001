/**
 * The limits of one client, one user, one address and the whole server. A signed-in user counts as a user from any address;
 * an address counts for the rest (A118). Tests and measurements can override every number; none can be switched off.
 *
 * Known limitation: only the sign-up limits bound how many signed-in users one address has.
 */
import { type Limits as AllLimits, defaultLimits as table } from '../../platform/limits/index.ts';
import type { Rate } from '../../platform/rate-limit/token-bucket.ts';

const toRate = ({ burst, perSecond }: Rate): Rate => ({ burst, perSecond });

/** Realtime's numbers in the table of all limits. */
export const limitsFrom = (all: AllLimits) => ({
  /** Open sockets of one address without a signed-in user; more are answered 429. */
  socketsPerAddress: all.socketsOfAddress.most,
  /** Open sockets of one signed-in user; beyond them a join is refused. */
  socketsPerUser: all.socketsOfUser.most,
  /** Connections of one address, with its joins and broadcasts by HTTP without a session. */
  attempts: toRate(all.connectionsOfAddress),
  /** Joins and broadcasts by HTTP of one signed-in user together. */
  userAttempts: toRate(all.joinsOfUser),
  channelsPerSocket: all.channelsOfSocket.most,
  /** Inbound events of one socket (CALL-14); more are answered with an error. */
  events: toRate(all.eventsOfSocket),
  /** Refused events of one socket; more close it. */
  refusals: toRate(all.refusalsOfSocket),
  /** Tabs and devices of one user that are present on a topic at a time. */
  presencesPerUser: all.presencesOfUser.most,
});

export const defaultLimits = {
  ...limitsFrom(table),
  /** Open sockets of the whole server; more are answered 503. */
  sockets: 20_000,
  /** Addresses and users with state at a time (open sockets, or attempts that still count). */
  addresses: 50_000,
  subscriptionsPerChannel: 20,
  frameBytes: 16 * 1024,
  /** A socket that has been silent for longer is closed; the client beats every 30 s (CALL-11). */
  silenceMs: 60_000,
  /** Above this number of unsent bytes, price frames are dropped until the client has caught up. */
  behindBytes: 128 * 1024,
  /** Above this number of unsent bytes, the socket is disconnected. */
  cutBytes: 2 * 1024 * 1024,
  /** A socket that stays behind for longer is disconnected. */
  behindMs: 10_000,
  /** Account changes of one channel that wait for a policy check; more fail the channel. */
  waitingChanges: 1_000,
  /** Events of one topic that wait for its join; more are answered with an error. */
  waitingEvents: 50,
  /** The payload of one client broadcast. */
  broadcastBytes: 8 * 1024,
  broadcastsPerRequest: 10,
  presencesPerTopic: 1_000,
};
export type Limits = Readonly<typeof defaultLimits>;
