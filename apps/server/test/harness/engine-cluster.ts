/**
 * Engine processes on one database, and a router before them as a gateway has it: it sends a command to the owner of its slot, reads the map
 * again after `moved`, a death or silence, and repeats what has a client id under the same one.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError, busy } from '@fulcrum/contract';
import { inject } from 'vitest';
import { slotOf } from '../../src/features/trading/engine/slots.ts';
import { readMembership, type Trading } from '../../src/features/trading/index.ts';
import { childEnv } from './child-env.ts';
import type { TestDatabase } from './database.ts';
import type { FromEngine, Outcome, ToEngine } from './engine-messages.ts';
import { testLanes } from './lanes.ts';

const program = fileURLToPath(new URL('./engine-process.ts', import.meta.url));
/** As the design has it for gateways. */
const commandLimitMs = 5_000;
const silenceMs = 2_000;
const readMapEveryMs = 50;

type Submit = Trading['engine']['submit'];

export interface EngineProcess {
  readonly processId: string;
  readonly child: ChildProcess;
  readonly isRunning: () => boolean;
  send(message: ToEngine): void;
}

export interface EngineCluster {
  readonly processes: readonly EngineProcess[];
  /** Resolves once it is a member. */
  add(): Promise<EngineProcess>;
  /** Its slots by process id, as the database has them. */
  slotsOf(): Promise<ReadonlyMap<string, readonly number[]>>;
  tick(symbol: string, price: string): void;
  readonly submit: Submit;
  /** Since the last call: commands that were sent more than once, and the longest way of one, in milliseconds. */
  takeFigures(): { readonly repeated: number; readonly longestMs: number };
  /** Ends what is left. */
  dispose(): Promise<void>;
}

export function createEngineCluster(db: TestDatabase): EngineCluster {
  const processes: EngineProcess[] = [];
  const prices = new Map<string, string>();
  const waiting = new Map<
    number,
    { readonly by: EngineProcess; readonly settle: (outcome: Outcome) => void }
  >();
  let commands = 0;
  let owners: readonly (EngineProcess | undefined)[] = [];
  let figures = { repeated: 0, longestMs: 0 };

  const readMap = async (): Promise<void> => {
    const membership = await readMembership(db);
    const processOf = new Map(membership.engines.map(({ id, processId }) => [id, processId]));
    owners = membership.owners.map((owner) =>
      processes.find(({ processId }) => processId === processOf.get(owner)),
    );
    // What is under way at an engine that has ended is unknown at once.
    const living = new Set(processOf.values());
    for (const { by, settle } of [...waiting.values()]) if (!living.has(by.processId)) settle('unknown');
  };

  /** All that was under way there is unknown at once. */
  const lose = (lost: EngineProcess): void => {
    for (const { by, settle } of [...waiting.values()]) if (by === lost) settle('unknown');
  };

  const ask = (to: EngineProcess, command: Omit<Extract<ToEngine, { kind: 'command' }>, 'kind' | 'id'>) => {
    commands += 1;
    const id = commands;
    return new Promise<Outcome>((resolve) => {
      const settle = (outcome: Outcome): void => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(outcome);
      };
      const timer = setTimeout(() => settle('unknown'), silenceMs);
      waiting.set(id, { by: to, settle });
      to.send({ kind: 'command', id, ...command });
    });
  };

  const submit: Submit = async (origin, command, key) => {
    const sentAt = performance.now();
    const until = Date.now() + commandLimitMs;
    for (let tries = 0; performance.now() - sentAt < commandLimitMs; tries += 1) {
      const owner = owners[slotOf(origin.accountId)];
      const outcome = owner?.isRunning() ? await ask(owner, { origin, command, key, until }) : 'moved';
      if (typeof outcome === 'object') {
        const tookMs = performance.now() - sentAt;
        figures = { repeated: figures.repeated + tries, longestMs: Math.max(figures.longestMs, tookMs) };
        if ('done' in outcome) return outcome.done;
        if ('fault' in outcome) throw new Error(outcome.fault);
        const { code, message, details, hint } = outcome.error;
        throw new AppError(code, message, {
          ...(details !== null && { details }),
          ...(hint !== null && { hint }),
        });
      }
      if (outcome === 'unknown' && key === null) break;
      await sleep(readMapEveryMs);
      await readMap();
    }
    throw busy();
  };

  return {
    processes,
    submit,
    async add() {
      const processId = randomUUID();
      const child = fork(program, [], {
        serialization: 'advanced',
        execArgv: [],
        env: {
          ...childEnv,
          ...{ PGHOST: inject('postgresSocketDir'), PGDATABASE: db.name, PROCESS_ID: processId },
          ...{ ENGINE_LANES: String(testLanes), LOG_LEVEL: process.env.LOG_LEVEL ?? 'error' },
        },
      });
      const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
      const added: EngineProcess = {
        ...{ processId, child, isRunning },
        send: (message) => {
          if (isRunning() && child.connected) child.send(message, () => undefined);
        },
      };
      child.on('exit', () => {
        processes.splice(processes.indexOf(added), 1);
        lose(added);
      });
      processes.push(added);
      for (const [symbol, price] of prices) added.send({ kind: 'price', symbol, price });
      await new Promise<void>((resolve, reject) => {
        child.on('message', (message: FromEngine) => {
          if (message.kind === 'started') resolve();
          else if (message.kind === 'slots') void readMap().catch(() => undefined);
          else waiting.get(message.id)?.settle(message.outcome);
        });
        child.on('exit', (code, signal) =>
          reject(new Error(`an engine process ended with ${code ?? signal}`)),
        );
      });
      return added;
    },
    async slotsOf() {
      await readMap();
      const slots = new Map<string, number[]>(processes.map(({ processId }) => [processId, []]));
      for (const [slot, owner] of owners.entries()) if (owner) slots.get(owner.processId)?.push(slot);
      return slots;
    },
    tick(symbol, price) {
      prices.set(symbol, price);
      for (const each of processes) each.send({ kind: 'price', symbol, price });
    },
    takeFigures: () => {
      const taken = figures;
      figures = { repeated: 0, longestMs: 0 };
      return taken;
    },
    async dispose() {
      for (const { child, isRunning } of [...processes]) {
        const ended = once(child, 'exit');
        if (!isRunning()) continue;
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}
