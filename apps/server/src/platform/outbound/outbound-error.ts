/**
 * A failed request to the outside. `refused`: the address is not allowed. `timeout`: the response was not complete in time.
 * `network`: no connection, a broken one, or a response that is not HTTP. `too-large`: above the bound. `overloaded`: too
 * many concurrent requests. `closed`: the server stops. The message names the host, never the path, query or headers.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: 'refused' | 'timeout' | 'network' | 'too-large' | 'overloaded' | 'closed';

  constructor(reason: OutboundError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
