/**
 * The lane of a process without the role `engine`: it owns no account and decides nothing. It follows the halts in force, so that the
 * screens of a gateway show them, and holds the lock of members, so that no server alone runs on the same database.
 */
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { type Halt, isMoreSevere } from './engine/halt.ts';
import { memberLock } from './engine/locks.ts';
import { SlotMoved } from './engine/router-errors.ts';
import { EngineSession } from './engine/session.ts';
import { haltState, noFigures } from './engine/state.ts';
import type { Lane } from './lanes.ts';

const noSymbols: ReadonlySet<string> = new Set();
const doNothing = (): void => {};
const nothing = (): Promise<void> => Promise.resolve();

export function createAbsentLane({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}): Lane {
  const session = new EngineSession(db, log, memberLock);
  let halt: Halt | null = null;
  let connecting: Promise<void> | null = null;
  /** A lost session gets its lock again. */
  function keepLock(): void {
    if (session.client || connecting) return;
    connecting = session
      .connect()
      .then(
        () => undefined,
        (error: unknown) => log.warn({ err: error }, 'the lock of a member is not held; trying again'),
      )
      .finally(() => {
        connecting = null;
      });
  }
  return {
    async start() {
      await session.connect();
    },
    async stop() {
      await connecting;
      session.release();
    },
    serves: () => false,
    async resume() {
      halt = null;
      return true;
    },
    state: () => ({ ...haltState(halt), running: true, epoch: 0, ...noFigures }),
    engine: {
      submit: () => Promise.reject(new SlotMoved()),
      tick: doNothing,
      sweep: keepLock,
      checkDue: doNothing,
      reload: doNothing,
      forgetCached: doNothing,
      halt(cause, reason) {
        if (isMoreSevere(cause, halt)) halt = { cause, reason, at: clock.now() };
      },
      idle: nothing,
      settled: () => null,
      symbolsInUse: () => noSymbols,
      bookedSymbols: () => noSymbols,
    },
  };
}
