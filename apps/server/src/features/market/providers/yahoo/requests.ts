/**
 * The only access to the quote provider: selects the next request whenever the budget allows one. Quotes come from the
 * registered poller, the most needed first; bars and probes wait in a queue. Bars alternate with quotes that a caller waits
 * for or that guard a position, and precede all others: neither can starve the other.
 * Invariant: at most `waitingMax` bars and probes wait; while the provider refuses, none does.
 */
import { texts } from '@fulcrum/contract';
import type { OutboundResponse } from '../../../../platform/outbound/index.ts';
import type { Services } from '../../../../platform/services.ts';
import { PriceError, toLogLine } from '../../price-error.ts';
import type { Routes } from '../routes.ts';
import type { Budget } from './budget.ts';
import { isProvidersOwn } from './chart.ts';
import { ChartError } from './chart-error.ts';

/** One request, and who reads its answer. */
export interface Job {
  readonly url: string;
  /** @throws ChartError when the answer does not fit the request; then `failed` is called with it */
  answered(response: OutboundResponse): void;
  failed(error: ChartError): void;
}

/** Quotes that wait for a request. */
interface Polls {
  /**
   * The most needed one, from now on under way; null when none is due. `pressing`: only one that a caller waits for, or that
   * guards a position.
   */
  next(which: 'pressing' | 'any'): Job | null;
  /** Whether `next` would return any. */
  isDue(): boolean;
  /** The provider stopped answering: pending callers must be released. */
  giveUp(error: ChartError): void;
}

export interface Requests {
  /**
   * Sends the request as soon as the budget allows; `read` parses the answer.
   * @throws ChartError of `read`; the provider's failure; PriceError when too many requests wait
   */
  fetch<T>(url: string, read: (response: OutboundResponse) => T): Promise<T>;
  /** Registers the poller. */
  serve(polls: Polls): void;
  /** Polls may have become due. */
  wake(): void;
  /** Why requests are stopped at present: a refusal, or our own stop; null while they are allowed. */
  refusal(): ChartError | null;
  /** The last failure of the provider itself; null while it answers. */
  fault(): ChartError | null;
  /** Time of its last answer, be it a refusal; ms since the epoch; null: never. */
  receivedAt(): number | null;
  stop(): void;
}

interface RequestsOptions extends Pick<Services, 'timers' | 'log'> {
  readonly routes: Pick<Routes, 'get'>;
  readonly budget: Budget;
}

const waitingMax = 16;
/** The provider refuses what does not call itself a browser. */
const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
/** How many failures of a kind in a row are no longer the fault of one request or symbol. */
const faultAfter = { refused: 1, unreachable: 3, faulty: 10 } as const;

export function createRequests({ routes, budget, timers, log }: RequestsOptions): Requests {
  const waiting: Job[] = [];
  let polls: Polls = { next: () => null, isDue: () => false, giveUp: () => {} };
  let cancelWake: (() => void) | null = null;
  let areBarsNext = true;
  let fault: ChartError | null = null;
  let receivedAt: number | null = null;
  /** Of the last answers, all of one kind; null: as they should be. */
  let streak: { readonly kind: keyof typeof faultAfter | null; readonly length: number } = {
    kind: null,
    length: 0,
  };
  let stopped = false;

  function wake(): void {
    cancelWake?.();
    cancelWake = null;
    while (!stopped && (waiting.length > 0 || polls.isDue())) {
      const waitMs = budget.waitMs();
      if (waitMs === null) return;
      if (waitMs > 0) {
        cancelWake = timers.after(waitMs, wake);
        return;
      }
      const job = next();
      if (!job) return;
      void send(job);
    }
  }

  function next(): Job | null {
    if (waiting.length === 0) return polls.next('any');
    const poll = areBarsNext ? null : polls.next('pressing');
    areBarsNext = poll !== null;
    return poll ?? waiting.shift() ?? null;
  }

  async function send(job: Job): Promise<void> {
    const permit = budget.take();
    const failure = await outcome(job);
    permit.end(failure?.failure ?? 'answered');
    if (!stopped) recordHealth(failure);
    if (failure) job.failed(failure);
    wake();
  }

  async function outcome(job: Job): Promise<ChartError | null> {
    let response: OutboundResponse;
    try {
      response = await routes.get(job.url, 'proxies-first', {
        headers: { 'user-agent': userAgent },
        isUsable: isProvidersOwn,
      });
    } catch (error) {
      // Whatever a route fails with, the provider was not reached.
      const message = error instanceof Error ? error.message : String(error);
      return new ChartError('unreachable', message, error);
    }
    if (stopped) return stoppedError();
    try {
      job.answered(response);
      return null;
    } catch (error) {
      if (error instanceof ChartError) return error;
      log.error({ err: error, url: job.url }, 'reading an answer of the quote provider failed');
      return new ChartError('faulty', texts.invalidResponse, error);
    }
  }

  /** Logs the provider's state when it changes. */
  function recordHealth(failure: ChartError | null): void {
    if (failure?.failure !== 'unreachable') receivedAt = timers.now();
    const kind = failure && failure.failure !== 'not-found' ? failure.failure : null;
    streak = { kind, length: streak.kind === kind ? streak.length + 1 : 1 };
    if (failure && kind) {
      if (streak.length < faultAfter[kind]) return;
      if (fault?.message !== failure.message)
        log.warn({ why: toLogLine(failure) }, 'the quote provider does not answer as it should');
      fault = failure;
      if (kind === 'refused' || budget.isUnreachable()) giveUp(failure);
      return;
    }
    // What was sent before a refusal may be answered after it.
    if (fault && budget.refusedUntil() === null) {
      log.info('the quote provider answers again');
      fault = null;
    }
  }

  function giveUp(failure: ChartError): void {
    for (const job of waiting.splice(0)) job.failed(failure);
    polls.giveUp(failure);
  }

  return {
    fetch(url, read) {
      const refused = refusal();
      if (refused) return Promise.reject(refused);
      if (waiting.length >= waitingMax) return Promise.reject(new PriceError(texts.busy));
      return new Promise((resolve, reject) => {
        waiting.push({ url, answered: (response) => resolve(read(response)), failed: reject });
        wake();
      });
    },
    serve(newPolls) {
      polls = newPolls;
    },
    wake,
    refusal,
    fault: () => fault,
    receivedAt: () => receivedAt,
    stop() {
      stopped = true;
      cancelWake?.();
      for (const job of waiting.splice(0)) job.failed(stoppedError());
    },
  };

  function refusal(): ChartError | null {
    if (stopped) return stoppedError();
    const until = budget.refusedUntil();
    return until !== null && timers.now() < until ? fault : null;
  }
}

const stoppedError = (): ChartError => new ChartError('unreachable', texts.busy);
