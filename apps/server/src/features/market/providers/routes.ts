/**
 * How a request reaches a provider: directly, or through one of up to three configured proxies in rotation (A32,
 * FEED-38 to FEED-47). The exchange is asked directly first; the others through the proxies first; directly at last.
 * Invariants: what the provider itself says to us below 500 is final (418, 429 and 451 are not dodged through a proxy);
 * an answer that came through a proxy counts only if it can be used, so a proxy that shows an error page, or lies about
 * the status, fails. A proxy with three failures is left out until 5 min after its last one.
 * Known limitation: a proxy that alters a price within reason cannot be told from an honest one; the hub's guard against
 * jumps is what stands behind. Hence no proxy is configured by default.
 */
import { texts } from '@fulcrum/contract';
import type { Timers } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { type Outbound, OutboundError, type OutboundResponse } from '../../../platform/outbound/index.ts';
import { oneLine, PriceError } from '../price-error.ts';

export type RouteOrder = 'direct-first' | 'proxies-first';

export interface RouteOptions {
  /** Added to `accept: application/json`. Proxies may see and pass them on: no secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether an answer of a proxy is one of the provider; left out: a status of success with JSON. A caller that expects
   * more (its own symbol, an error of the provider in JSON with status 404) says so here.
   */
  readonly isUsable?: (response: OutboundResponse) => boolean;
}

export interface Routes {
  /**
   * One answer of the provider at `url`, whatever its status; a failed route takes at most 10 s.
   * @throws PriceError 'Failed to fetch data: All proxies failed', whose cause is the last route's fault
   */
  get(url: string, order: RouteOrder, options?: RouteOptions): Promise<OutboundResponse>;
}

export interface RoutesOptions {
  readonly outbound: Pick<Outbound, 'get'>;
  /** The wanted address is appended, URL-encoded. */
  readonly proxies: readonly string[];
  readonly timers: Timers;
  readonly log: Log;
}

const routeTimeoutMs = 10_000;
const failuresMax = 3;
const failuresKeptMs = 5 * 60_000;

interface Proxy {
  readonly prefix: string;
  failures: number;
  failedAt: number;
}

export function createRoutes({ outbound, proxies: prefixes, timers, log }: RoutesOptions): Routes {
  const proxies: readonly Proxy[] = prefixes.map((prefix) => ({
    prefix,
    failures: 0,
    failedAt: Number.NEGATIVE_INFINITY,
  }));
  let turn = 0;

  /** The proxies from the one whose turn it is. */
  function rotation(): Proxy[] {
    if (proxies.length === 0) return [];
    const first = turn % proxies.length;
    turn = first + 1;
    return [...proxies.slice(first), ...proxies.slice(0, first)];
  }

  function isSkipped(proxy: Proxy): boolean {
    if (Math.abs(timers.now() - proxy.failedAt) >= failuresKeptMs) proxy.failures = 0;
    return proxy.failures >= failuresMax;
  }

  function countFailure(proxy: Proxy, err: Error): void {
    const wasSkipped = isSkipped(proxy);
    proxy.failures += 1;
    proxy.failedAt = timers.now();
    const { host } = new URL(proxy.prefix);
    if (wasSkipped || proxy.failures < failuresMax) {
      log.debug({ why: oneLine(err), proxy: host }, 'a proxy failed');
    } else {
      log.warn({ why: oneLine(err), proxy: host }, 'a proxy failed three times and is left out for 5 min');
    }
  }

  return {
    async get(url, order, { headers = {}, isUsable = isSuccessWithJson } = {}) {
      const ask = (address: string) =>
        outbound.get(address, {
          timeoutMs: routeTimeoutMs,
          headers: { accept: 'application/json', ...headers },
        });

      /** The provider's own word, or why there is none. @throws PriceError */
      async function direct(): Promise<OutboundResponse | Error> {
        const response = await ask(url).catch(asFault);
        if (response instanceof OutboundError) {
          // By our own rules: another route would be a way around them.
          if (response.reason === 'refused') throw allFailed(response);
          return response;
        }
        // Without a proxy there is no other word to wait for.
        if (response.status < 500 || proxies.length === 0) return response;
        return new PriceError(texts.httpError(response.status));
      }

      async function through(proxy: Proxy): Promise<OutboundResponse | Error> {
        const response = await ask(proxy.prefix + encodeURIComponent(url)).catch(asFault);
        if (!(response instanceof OutboundError) && isUsable(response)) return response;
        const fault = response instanceof OutboundError ? response : unusable(response);
        countFailure(proxy, fault);
        return fault;
      }

      let word = order === 'direct-first' ? await direct() : null;
      if (isAnswer(word)) return word;
      let isFreshlyDirect = word !== null;
      for (const proxy of rotation()) {
        // Looked at in turn: a request beside this one may have counted the third failure meanwhile.
        if (isSkipped(proxy)) continue;
        word = await through(proxy);
        if (isAnswer(word)) return word;
        isFreshlyDirect = false;
      }
      // With no proxy asked in between, the same again would only load the provider.
      if (!isFreshlyDirect) word = await direct();
      if (isAnswer(word)) return word;
      throw allFailed(word);
    },
  };
}

const isAnswer = (word: OutboundResponse | Error | null): word is OutboundResponse =>
  word !== null && !(word instanceof Error);

const allFailed = (cause: Error | null): PriceError => new PriceError(texts.allProxiesFailed, { cause });

/** What speaks against a route. @throws PriceError when no route can do better: too much is under way, or we stop */
function asFault(error: unknown): OutboundError {
  if (!(error instanceof OutboundError)) throw error;
  if (error.reason === 'overloaded' || error.reason === 'closed') throw allFailed(error);
  return error;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const unusable = ({ status }: OutboundResponse): PriceError =>
  new PriceError(isSuccess(status) ? texts.invalidResponse : texts.httpError(status));

function isSuccessWithJson({ status, text }: OutboundResponse): boolean {
  if (!isSuccess(status)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
