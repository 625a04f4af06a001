/**
 * The request budget of the exchange. It weighs requests and allows 6000 a minute and address; its answers state how much
 * all clients behind this address have used. Prices may use most of it, history (bars, pairs) less, so that charts never
 * cost a price. An answer 429 or 418 stops all requests for the time that it states, 451 for good.
 * Invariant: no request is let through while the exchange refuses us.
 * Known limitation: the exchange's minute may begin at another instant than ours; the unused share covers that.
 * Source: binance-spot-api-docs, rest-api.md (limits), errors.md.
 */
import { texts } from '@fulcrum/contract';
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { OutboundResponse } from '../../../../platform/outbound/index.ts';
import type { Services } from '../../../../platform/services.ts';
import { PriceError } from '../../price-error.ts';
import { ExchangeRefusalError } from './refusal.ts';

const weightPerMinute = 6_000;
/** Weight a minute up to which each kind of request is let through. */
const limits = { prices: 0.8 * weightPerMinute, history: 0.5 * weightPerMinute } as const;
/** Requests for history that wait for the next minute; further ones are refused. */
const waitingMax = 32;

/** Default pause, per status, for an answer that states none. 403 is the firewall before the exchange. */
const refusalMs: Readonly<Record<number, number>> = { 403: minuteMs, 429: minuteMs, 418: 2 * minuteMs };
/** The longest ban that is documented. */
const refusalMsMax = 3 * dayMs;

export type RequestPurpose = keyof typeof limits;

type Answer = Pick<OutboundResponse, 'status' | 'headers' | 'text'>;

export interface WeightBudget {
  /**
   * Resolves when a request of this weight may be sent, which then counts. Prices are let through or refused at once;
   * history may wait for the next minute. @throws PriceError
   */
  admit(weight: number, purpose: RequestPurpose): Promise<void>;
  /** Whether such a request would be let through now. */
  affords(weight: number, purpose: RequestPurpose): boolean;
  /** Call with every answer, including the websocket's handshake. */
  recordAnswer(answer: Answer): void;
  /** The instant until which the exchange refuses us, ms since the epoch; in the past when it does not. */
  refusedUntil(): number;
  /** Why requests are stopped at present, in one line; null when they are allowed. */
  fault(): string | null;
  /** Refuses everything from now on, and what waits. */
  close(): void;
}

export function createWeightBudget({ timers, log }: Pick<Services, 'timers' | 'log'>): WeightBudget {
  let minute = -1;
  let used = 0;
  let refused = { status: 0, until: -Infinity };
  let closed = false;
  const waiting = new Set<() => void>();

  function enterMinute(now: number): void {
    const current = Math.floor(now / minuteMs);
    if (current !== minute) used = 0;
    minute = current;
  }

  const nextMinute = (now: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        waiting.delete(wake);
        resolve();
      };
      const cancel = timers.after(minuteMs - (now % minuteMs), wake);
      waiting.add(wake);
    });

  return {
    async admit(weight, purpose) {
      for (;;) {
        if (closed) throw new PriceError(texts.busy);
        const now = timers.now();
        if (now < refused.until) throw new ExchangeRefusalError(refused.status, null, faultOf(refused));
        enterMinute(now);
        if (used + weight <= limits[purpose]) {
          used += weight;
          return;
        }
        if (purpose === 'prices' || waiting.size >= waitingMax) throw new PriceError(texts.busy);
        await nextMinute(now);
      }
    },
    affords(weight, purpose) {
      const now = timers.now();
      enterMinute(now);
      return !closed && now >= refused.until && used + weight <= limits[purpose];
    },
    recordAnswer({ status, headers, text }) {
      const now = timers.now();
      enterMinute(now);
      const stated = headers['x-mbx-used-weight-1m'];
      if (stated !== undefined && /^\d{1,9}$/.test(stated)) used = Math.max(used, Number(stated));
      const until = refusalEnd(status, { headers, text }, now);
      if (until === null || until <= refused.until) return;
      refused = { status, until };
      log.error({ status, until: formatUntil(until) }, 'the exchange refuses requests');
    },
    refusedUntil: () => refused.until,
    fault() {
      return timers.now() < refused.until ? faultOf(refused) : null;
    },
    close() {
      closed = true;
      for (const wake of [...waiting]) wake();
    },
  };
}

function faultOf({ status, until }: { readonly status: number; readonly until: number }): string {
  if (status === 451) return 'The exchange does not serve this location (HTTP 451).';
  return `The exchange refuses requests until ${formatUntil(until)} (HTTP ${status}).`;
}

const formatUntil = (until: number): string =>
  until === Infinity ? 'a restart' : new Date(until).toISOString();

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The pause of `Retry-After`, in seconds or as a date; null when it has neither, or a date that has passed by our clock. */
function retryInstant(retryAfter: string, now: number): number | null {
  if (/^\d{1,9}$/.test(retryAfter)) return now + Number(retryAfter) * 1000;
  const at = httpDate.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return at > now ? at : null;
}

/** Until when an answer of this status stops requests; null when it does not. The longer of header and text counts. */
function refusalEnd(status: number, { headers, text }: Pick<Answer, 'headers' | 'text'>, now: number) {
  if (status === 451) return Infinity;
  const byDefault = refusalMs[status];
  if (byDefault === undefined) return null;
  const retryAt = retryInstant(String(headers['retry-after']), now);
  const bannedUntil = status === 418 ? /banned until (?<at>\d{13})/.exec(text)?.groups?.at : undefined;
  const stated = [
    ...(retryAt === null ? [] : [retryAt]),
    ...(bannedUntil === undefined ? [] : [Number(bannedUntil)]),
  ];
  const until = stated.length > 0 ? Math.max(...stated) : now + byDefault;
  return Math.min(Math.max(until, now + 1000), now + refusalMsMax);
}
