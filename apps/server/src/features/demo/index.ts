/**
 * The demo's past (docs/demo.md): after the start it gives the demo's trader six weeks of trading. Each step is written whole,
 * once, in one transaction; after a kill the next start goes on with the first step that is missing. It runs beside
 * ordinary use: bars are computed in time slices, and the engine of a past yields after each batch.
 */

import { writeChats, writeContactMessages } from './conversations.ts';
import type { DemoDependencies } from './dependencies.ts';
import { writeKycCases } from './kyc.ts';
import { writeSchool, writeSchoolTrades } from './school.ts';
import { readSteps } from './steps.ts';
import { writeTraderPast } from './trader.ts';
import { writeUsers, writeUserTrades } from './users.ts';

export { clearDemo, deleteDemoMessages } from './clear.ts';
export { deleteDemoSchool } from './school.ts';
export { demoAgeDays } from './trader.ts';

export interface Demo {
  /** Begins to write what is missing. */
  start(): void;
  /** Resolves when everything is written, or could not be. */
  done(): Promise<void>;
  stop(): Promise<void>;
}

type Write = (deps: DemoDependencies, signal: AbortSignal) => Promise<void>;

/**
 * In this order: the trader is what a visitor sees first. Those without a mark of their own (`app.demo_steps`) mark what
 * they write user by user.
 */
const steps: readonly { readonly name: string; readonly marks: boolean; readonly write: Write }[] = [
  { name: 'trader', marks: true, write: writeTraderPast },
  { name: 'users', marks: false, write: writeUsers },
  { name: 'chats', marks: true, write: writeChats },
  { name: 'contact', marks: true, write: writeContactMessages },
  { name: 'trades', marks: false, write: writeUserTrades },
  { name: 'school', marks: true, write: writeSchool },
  { name: 'school trades', marks: false, write: writeSchoolTrades },
  { name: 'kyc', marks: false, write: writeKycCases },
];

export function createDemo(deps: DemoDependencies): Demo {
  const { db, log } = deps;
  const stopping = new AbortController();
  let writing: Promise<void> = Promise.resolve();

  async function writeMissing(): Promise<void> {
    const written = await readSteps(db);
    for (const { name, marks, write } of steps) {
      if ((marks && written.has(name)) || stopping.signal.aborted) continue;
      try {
        const startedAt = performance.now();
        await write(deps, stopping.signal);
        const ms = Math.round(performance.now() - startedAt);
        log.debug({ step: name, ms }, 'a step of the demo is written');
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
