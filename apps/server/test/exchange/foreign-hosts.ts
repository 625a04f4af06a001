/**
 * The guard that no connection of this process leaves the machine while a client of the exchange runs: a client with one address left
 * unset would send its key to the real exchange.
 */
import net from 'node:net';

const thisMachine: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

/** Where a call of `connect` leads; null for a path of this machine. */
function hostOf([first, second]: readonly unknown[]): string | null {
  const [options] = Array.isArray(first) ? (first as unknown[]) : [first];
  if (typeof options === 'object' && options !== null) {
    const { host, path } = options as { host?: string | null; path?: string | null };
    return typeof path === 'string' ? null : (host ?? 'localhost');
  }
  if (typeof options === 'string' && !/^\d+$/.test(options)) return null;
  return typeof second === 'string' ? second : 'localhost';
}

export interface ForeignHostGuard {
  /** The hosts that something tried to reach. */
  readonly refused: readonly string[];
  remove(): void;
}

/** Every connection of this process to another machine fails, and is listed, until `remove`. */
export function guardForeignHosts(): ForeignHostGuard {
  const refused: string[] = [];
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const host = hostOf(args);
    if (host !== null && !thisMachine.has(host)) {
      refused.push(host);
      throw new Error(`a test connects to another machine: ${host}`);
    }
    return Reflect.apply(connect, this, args) as net.Socket;
  } as typeof connect;
  return {
    refused,
    remove: () => {
      net.Socket.prototype.connect = connect;
    },
  };
}
