/**
 * A request to the outside that came to nothing. `refused`: the address is not allowed. `timeout`: not answered in full in
 * time. `network`: no connection, a cut one, or an answer that is not HTTP. `too-large`: more than is read. `overloaded`:
 * too many are under way. `closed`: the server stops. The message names the host, never the path, query or headers.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: 'refused' | 'timeout' | 'network' | 'too-large' | 'overloaded' | 'closed';

  constructor(reason: OutboundError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
