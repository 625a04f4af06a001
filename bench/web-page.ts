/**
 * Counters of a running page: React's commits, the main thread's work, the heap after a collection, DOM nodes and listeners,
 * and the time until interactions were painted. Counting adds a function call per commit and an observer of slow
 * events; each sample empties their buffers, so that the measure itself does not grow.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from '@playwright/test';

interface Counted {
  commits: number;
  /** By interaction: the longest of its events, ms. */
  slowest: Map<number, number>;
}
type Counting = typeof globalThis & { fulcrumBench: Counted; __REACT_DEVTOOLS_GLOBAL_HOOK__: object };

/** Shorter events are not reported (Event Timing), ms. */
const slowEventMsMin = 16;

/** Runs in the page, before anything of it does. */
function installCounters(eventMsMin: number): void {
  const page = globalThis as Counting;
  const counted: Counted = { commits: 0, slowest: new Map() };
  page.fulcrumBench = counted;
  // The hook of React's developer tools, which a production build calls too.
  page.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: () => {
      counted.commits += 1;
    },
    onCommitFiberUnmount() {},
  };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { interactionId: number; duration: number }[]) {
      const { interactionId, duration } = entry;
      if (interactionId === 0) continue;
      counted.slowest.set(interactionId, Math.max(duration, counted.slowest.get(interactionId) ?? 0));
    }
  });
  observer.observe({ type: 'event', durationThreshold: eventMsMin } as never);
}

export interface Sample {
  readonly atMs: number;
  /** Since the page was loaded. */
  readonly commits: number;
  /** Of the processor, by the main thread since it is counted, seconds. Other work on the machine does not add to it. */
  readonly busyS: number;
}

export interface MemorySample {
  readonly atMs: number;
  /** In use after a forced collection, bytes. */
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** Commits a second, and the share of a processor that the main thread takes. */
export interface Rate {
  readonly commits: number;
  readonly busy: number;
}

export function rateBetween(from: Sample, to: Sample): Rate {
  const seconds = (to.atMs - from.atMs) / 1000;
  return { commits: (to.commits - from.commits) / seconds, busy: (to.busyS - from.busyS) / seconds };
}

export class CountedPage {
  readonly page: Page;
  readonly #cdp: CDPSession;

  private constructor(page: Page, cdp: CDPSession) {
    this.page = page;
    this.#cdp = cdp;
  }

  /** Before the page is loaded. */
  static async attach(page: Page): Promise<CountedPage> {
    await page.addInitScript(installCounters, slowEventMsMin);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    await cdp.send('HeapProfiler.enable');
    return new CountedPage(page, cdp);
  }

  async sample(): Promise<Sample> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics');
    const busyS = metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN;
    const commits = await this.page.evaluate(() => (globalThis as Counting).fulcrumBench.commits);
    return { atMs: performance.now(), commits, busyS };
  }

  /** While the page has no input. */
  async rateOver(seconds: number): Promise<Rate> {
    const from = await this.sample();
    await sleep(seconds * 1000);
    return rateBetween(from, await this.sample());
  }

  async memory(): Promise<MemorySample> {
    // The second collection frees what finalizers of the first one released.
    for (let i = 0; i < 2; i += 1) await this.#cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#cdp.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await this.#cdp.send('Memory.getDOMCounters');
    return { atMs: performance.now(), heap: usedSize, nodes, listeners: jsEventListeners };
  }

  /** Interactions since the last call that took `slowEventMsMin` or more to be seen, ms each. */
  takeSlowInteractions(): Promise<number[]> {
    return this.page.evaluate(() => {
      const { slowest } = (globalThis as Counting).fulcrumBench;
      const durations = [...slowest.values()];
      slowest.clear();
      return durations;
    });
  }
}
