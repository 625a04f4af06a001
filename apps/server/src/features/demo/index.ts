/**
 * The demo's past (docs/demo.md): after the start it gives the demo's trader six weeks of trading. Each step is written whole,
 * once, in one transaction; after a kill the next start goes on with the first step that is missing. It runs beside
 * ordinary use: bars are computed in time slices, and the engine of a past yields after each batch.
 */
import type { DemoDependencies } from './dependencies.ts';
import { readSteps } from './steps.ts';
import { writeTraderPast } from './trader.ts';

export { demoAgeDays } from './trader.ts';

export interface Demo {
  /** Begins to write what is missing. */
  start(): void;
  /** Resolves when everything is written, or could not be. */
  done(): Promise<void>;
  stop(): Promise<void>;
}

interface Step {
  readonly name: string;
  readonly write: (deps: DemoDependencies, signal: AbortSignal) => Promise<boolean>;
}

const steps: readonly Step[] = [{ name: 'trader', write: writeTraderPast }];

export function createDemo(deps: DemoDependencies): Demo {
  const { db, log } = deps;
  const stopping = new AbortController();
  let writing: Promise<void> = Promise.resolve();

  async function writeMissing(): Promise<void> {
    const written = await readSteps(db);
    for (const { name, write } of steps) {
      if (written.has(name) || stopping.signal.aborted) continue;
      try {
        const startedAt = performance.now();
        if (await write(deps, stopping.signal))
          log.info({ step: name, ms: Math.round(performance.now() - startedAt) }, 'the demo has a past');
      } catch (error) {
        if (!stopping.signal.aborted)
          log.warn(
            { err: error, step: name },
            'a step of the demo was not written; the next start repeats it',
          );
      }
    }
  }

  return {
    start() {
      writing = writeMissing().catch((error: unknown) => {
        log.warn({ err: error }, 'the past of the demo was not written');
      });
    },
    done: () => writing,
    async stop() {
      stopping.abort();
      await writing;
    },
  };
}
