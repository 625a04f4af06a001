/** The limits of one socket of `/fapi` and of all of them. Tests can override every number; none can be switched off. */
import { defaultLimits as table } from '../../../platform/limits/index.ts';

export const defaultStreamLimits = {
  /** Open sockets of the whole server; more are answered 503. */
  sockets: 5_000,
  socketsPerAddress: table.streamSocketsOfAddress.most,
  attempts: { burst: table.connectionsOfAddress.burst, perSecond: table.connectionsOfAddress.perSecond },
  addresses: 20_000,
  /** Messages of a client; more close the socket. */
  requests: { burst: table.requestsOfStreamSocket.burst, perSecond: table.requestsOfStreamSocket.perSecond },
  streamsPerSocket: table.streamsOfSocket.most,
  streamsPerAddress: table.streamsOfAddress.most,
  frameBytes: 64 * 1024,
  /** How often the server pings, and how long a client may be silent. */
  pingEveryMs: 180_000,
  silenceMs: 600_000,
  behindBytes: 128 * 1024,
  cutBytes: 2 * 1024 * 1024,
  behindMs: 10_000,
};
export type StreamLimits = Readonly<typeof defaultStreamLimits>;
