/**
 * How much the exchange may be asked. It weighs requests and allows 6000 a minute and address; the answers say how much
 * is used, by everybody behind this address. Prices may use most of it, history (bars, pairs) less, so that charts never
 * cost a price. An answer 429 or 418 stops everything for as long as it says, 451 for good: asking on makes it worse.
 * Invariant: no request is let through while the exchange refuses us.
 * Known limitation: the exchange's minute may begin at another instant than ours; the share left unused covers that.
 * Source: binance-spot-api-docs, rest-api.md (limits), errors.md.
 */
import { texts } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Log } from '../../../../platform/log/index.ts';
import type { OutboundResponse } from '../../../../platform/outbound/index.ts';
import { PriceError } from '../../price-error.ts';
import { RefusedByExchange } from './refusal.ts';

const weightPerMinute = 6_000;
/** Weight a minute up to which each kind of request is let through. */
const limits = { prices: 0.8 * weightPerMinute, history: 0.5 * weightPerMinute } as const;
/** Requests for history that wait for the next minute; further ones are refused. */
const waitingMax = 32;

/** Used where the answer does not say how long, per status. 403 is the firewall before the exchange. */
const refusalMs: Readonly<Record<number, number>> = { 403: minuteMs, 429: minuteMs, 418: 2 * minuteMs };
/** The longest ban that is documented. */
const refusalMsMax = 3 * 24 * 60 * minuteMs;

export type Need = keyof typeof limits;

type Answer = Pick<OutboundResponse, 'status' | 'headers' | 'text'>;

export interface WeightBudget {
  /**
   * Resolves when a request of this weight may be sent, which then counts. Prices are let through or refused at once;
   * history may wait for the next minute. @throws PriceError
   */
  admit(weight: number, need: Need): Promise<void>;
  /** Whether such a request would be let through now. */
  affords(weight: number, need: Need): boolean;
  /** To be told every answer, of the websocket's handshake too. */
  heard(answer: Answer): void;
  /** The instant until which the exchange refuses us, ms since the epoch; in the past when it does not. */
  refusedUntil(): number;
  /** Why nothing is asked at present, in one line; null when the exchange may be asked. */
  fault(): string | null;
  /** Refuses everything from now on, and what waits. */
  close(): void;
}

export function createWeightBudget({
  timers,
  log,
}: {
  readonly timers: Timers;
  readonly log: Log;
}): WeightBudget {
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
    async admit(weight, need) {
      for (;;) {
        if (closed) throw new PriceError(texts.busy);
        const now = timers.now();
        if (now < refused.until) throw new RefusedByExchange(refused.status, null, faultOf(refused));
        enterMinute(now);
        if (used + weight <= limits[need]) {
          used += weight;
          return;
        }
        if (need === 'prices' || waiting.size >= waitingMax) throw new PriceError(texts.busy);
        await nextMinute(now);
      }
    },
    affords(weight, need) {
      const now = timers.now();
      enterMinute(now);
      return !closed && now >= refused.until && used + weight <= limits[need];
    },
    heard({ status, headers, text }) {
      const now = timers.now();
      enterMinute(now);
      const stated = headers['x-mbx-used-weight-1m'];
      if (stated !== undefined && /^\d{1,9}$/.test(stated)) used = Math.max(used, Number(stated));
      const until = refusalEnd(status, { headers, text }, now);
      if (until === null || until <= refused.until) return;
      refused = { status, until };
      log.error({ status, until: shown(until) }, 'the exchange refuses requests');
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
  return `The exchange refuses requests until ${shown(until)} (HTTP ${status}).`;
}

const shown = (until: number): string => (until === Infinity ? 'a restart' : new Date(until).toISOString());

/** Until when an answer of this status stops us; null when it does not. The longer of what header and text say counts. */
function refusalEnd(status: number, { headers, text }: Pick<Answer, 'headers' | 'text'>, now: number) {
  if (status === 451) return Infinity;
  const byDefault = refusalMs[status];
  if (byDefault === undefined) return null;
  const seconds = /^\d{1,9}$/.exec(String(headers['retry-after']))?.[0];
  const bannedUntil = status === 418 ? /banned until (?<at>\d{13})/.exec(text)?.groups?.at : undefined;
  const stated = [
    ...(seconds === undefined ? [] : [now + Number(seconds) * 1000]),
    ...(bannedUntil === undefined ? [] : [Number(bannedUntil)]),
  ];
  const until = stated.length > 0 ? Math.max(...stated) : now + byDefault;
  return Math.min(Math.max(until, now + 1000), now + refusalMsMax);
}
