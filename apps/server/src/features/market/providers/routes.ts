/**
 * The route of a request to a provider: direct, or through one of up to three configured proxies in rotation (A32,
 * FEED-38 to FEED-47). The exchange is tried directly first; the others through the proxies first, directly at last.
 * Invariants: a provider's own answer below 500 is final (418, 429 and 451 are not dodged through a proxy); an answer through
 * a proxy counts only if it is usable, so a proxy that shows an error page, or fakes the status, fails. A proxy with three
 * failures is skipped until 5 min after its last one.
 * Known limitation: a proxy that alters a price within reason cannot be detected; only the hub's guard against jumps limits
 * the damage. Hence no proxy is configured by default.
 */
import { texts } from '@fulcrum/contract';
import { type Outbound, OutboundError, type OutboundResponse } from '../../../platform/outbound/index.ts';
import type { Services } from '../../../platform/services.ts';
import { PriceError, toLogLine } from '../price-error.ts';

export type RouteOrder = 'direct-first' | 'proxies-first';

interface RouteOptions {
  /** Added to `accept: application/json`. Proxies may see and pass them on: no secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether an answer of a proxy is one of the provider; left out: a status of success with JSON. A caller that expects
   * more (its own symbol, an error of the provider in JSON with status 404) checks it here.
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

interface RoutesOptions extends Pick<Services, 'timers' | 'log'> {
  readonly outbound: Pick<Outbound, 'get'>;
  /** The wanted address is appended, URL-encoded. */
  readonly proxies: readonly string[];
}

const routeTimeoutMs = 10_000;
const failuresMax = 3;
const failureTtlMs = 5 * 60_000;

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
  let nextIndex = 0;

  /** The proxies in rotation, beginning with the next one. */
  function rotation(): Proxy[] {
    if (proxies.length === 0) return [];
    const first = nextIndex % proxies.length;
    nextIndex = first + 1;
    return [...proxies.slice(first), ...proxies.slice(0, first)];
  }

  function isSkipped(proxy: Proxy): boolean {
    if (Math.abs(timers.now() - proxy.failedAt) >= failureTtlMs) proxy.failures = 0;
    return proxy.failures >= failuresMax;
  }

  function countFailure(proxy: Proxy, err: Error): void {
    const wasSkipped = isSkipped(proxy);
    proxy.failures += 1;
    proxy.failedAt = timers.now();
    const { host } = new URL(proxy.prefix);
    if (wasSkipped || proxy.failures < failuresMax) {
      log.debug({ why: toLogLine(err), proxy: host }, 'a proxy failed');
    } else {
      log.warn({ why: toLogLine(err), proxy: host }, 'a proxy failed three times and is left out for 5 min');
    }
  }

  return {
    async get(url, order, { headers = {}, isUsable = isSuccessWithJson } = {}) {
      const ask = (address: string) =>
        outbound.get(address, {
          timeoutMs: routeTimeoutMs,
          headers: { accept: 'application/json', ...headers },
        });

      /** The provider's own answer, or the error without one. @throws PriceError */
      async function direct(): Promise<OutboundResponse | Error> {
        const response = await ask(url).catch(toFault);
        if (response instanceof OutboundError) {
          // By our own rules: another route would be a way around them.
          if (response.reason === 'refused') throw allFailedError(response);
          return response;
        }
        // Without a proxy there is no other answer to wait for.
        if (response.status < 500 || proxies.length === 0) return response;
        return new PriceError(texts.httpError(response.status));
      }

      async function viaProxy(proxy: Proxy): Promise<OutboundResponse | Error> {
        const response = await ask(proxy.prefix + encodeURIComponent(url)).catch(toFault);
        if (!(response instanceof OutboundError) && isUsable(response)) return response;
        const fault = response instanceof OutboundError ? response : unusableError(response);
        countFailure(proxy, fault);
        return fault;
      }

      let result = order === 'direct-first' ? await direct() : null;
      if (isAnswer(result)) return result;
      let wasLastDirect = result !== null;
      for (const proxy of rotation()) {
        // Checked again here: a concurrent request may have counted the third failure meanwhile.
        if (isSkipped(proxy)) continue;
        result = await viaProxy(proxy);
        if (isAnswer(result)) return result;
        wasLastDirect = false;
      }
      // If no proxy was tried in between, the same request again would only load the provider.
      if (!wasLastDirect) result = await direct();
      if (isAnswer(result)) return result;
      throw allFailedError(result);
    },
  };
}

const isAnswer = (result: OutboundResponse | Error | null): result is OutboundResponse =>
  result !== null && !(result instanceof Error);

const allFailedError = (cause: Error | null): PriceError => new PriceError(texts.allProxiesFailed, { cause });

/** What speaks against a route. @throws PriceError when no route can do better: too much is under way, or we stop */
function toFault(error: unknown): OutboundError {
  if (!(error instanceof OutboundError)) throw error;
  if (error.reason === 'overloaded' || error.reason === 'closed') throw allFailedError(error);
  return error;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const unusableError = ({ status }: OutboundResponse): PriceError =>
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
