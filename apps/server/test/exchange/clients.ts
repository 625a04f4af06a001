/**
 * Unmodified clients of Binance's futures, pointed at a test's server as docs/api.md has it, and the guard that no connection of this
 * process leaves the machine meanwhile: a client with one address left unset would send its key to the real exchange.
 */
import net from 'node:net';
import ccxt, { type binanceusdm } from 'ccxt';

export interface ClientKey {
  readonly apiKey: string;
  readonly secret: string;
}

/** The addresses that `enableDemoTrading` puts in the place of all others. */
export function demoUrls(url: string) {
  const socket = url.replace(/^http/, 'ws');
  const fapi = (version: string) => `${url}/fapi/${version}`;
  return {
    ...{ fapiPublic: fapi('v1'), fapiPublicV2: fapi('v2'), fapiPublicV3: fapi('v3') },
    ...{ fapiPrivate: fapi('v1'), fapiPrivateV2: fapi('v2'), fapiPrivateV3: fapi('v3') },
    fapiData: `${url}/futures/data`,
    ...{ public: `${url}/api/v3`, private: `${url}/api/v3`, v1: `${url}/api/v1` },
    ...{ dapiPublic: `${url}/dapi/v1`, dapiPrivate: `${url}/dapi/v1`, dapiPrivateV2: `${url}/dapi/v2` },
    ws: { future: `${socket}/ws`, 'ws-api': { future: `${socket}/ws-fapi/v1` } },
  };
}

const settings = (url: string, key?: ClientKey) => ({
  ...key,
  urls: { demo: demoUrls(url) },
  // A test does not wait between its requests.
  enableRateLimit: false,
});

export function createCcxt(url: string, key?: ClientKey): binanceusdm {
  const client = new ccxt.binanceusdm(settings(url, key));
  client.enableDemoTrading(true);
  return client;
}

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
