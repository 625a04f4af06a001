/**
 * Which symbols the processes of a cluster need, united for the leader's market. Invariants: a process that has been silent for some
 * seconds needs nothing any more; until one of them knows of positions and orders, PostgreSQL says which symbols are in use.
 */
import type { Timers } from '../../../platform/clock/index.ts';
import type { Market } from '../index.ts';
import type { Demand } from './wire.ts';

/** A process tells each second; what it needed may pass to others when it dies. */
const silentAfterMs = 10_000;
const checkEveryMs = 1_000;

interface Demands {
  receive(payload: unknown): void;
  /** Symbols whose levels and trades are of use, in order of need. */
  booked(): ReadonlySet<string>;
  stop(): void;
}

interface Member {
  demand: Demand;
  receivedAt: number;
  /** What ends the leader's following of a symbol, or of all under the empty name. */
  readonly followed: Map<string, () => void>;
}
const allSymbols = '';

export function createDemands({
  market,
  timers,
}: {
  readonly market: Pick<Market, 'follow' | 'followAll' | 'setSymbolsInUse'>;
  readonly timers: Timers;
}): Demands {
  const members = new Map<string, Member>();
  let isInUseKnown = false;
  let inUse: ReadonlySet<string> = new Set();
  let booked: ReadonlySet<string> = new Set();

  function unite(): void {
    const demands = [...members.values()].map(({ demand }) => demand);
    inUse = new Set(demands.flatMap((demand) => demand.inUse ?? []));
    booked = new Set(demands.flatMap((demand) => demand.booked));
    if (isInUseKnown || demands.every((demand) => demand.inUse === null)) return;
    isInUseKnown = true;
    market.setSymbolsInUse(
      () => inUse,
      () => booked,
    );
  }

  function followRequested({ demand, followed }: Member): void {
    const required = new Set([...demand.shown, ...(demand.showsAll ? [allSymbols] : [])]);
    for (const [symbol, end] of followed) {
      if (required.has(symbol)) continue;
      end();
      followed.delete(symbol);
    }
    for (const symbol of required) {
      if (followed.has(symbol)) continue;
      followed.set(symbol, symbol === allSymbols ? market.followAll() : market.follow(symbol));
    }
  }

  function forget(process: string, { followed }: Member): void {
    members.delete(process);
    for (const end of followed.values()) end();
  }

  const cancelCheck = timers.every(checkEveryMs, () => {
    for (const [process, member] of members) {
      if (Math.abs(timers.now() - member.receivedAt) >= silentAfterMs) forget(process, member);
    }
    unite();
  });

  return {
    receive(payload) {
      const demand = payload as Demand;
      const member = members.get(demand.process) ?? { demand, receivedAt: 0, followed: new Map() };
      member.demand = demand;
      member.receivedAt = timers.now();
      members.set(demand.process, member);
      followRequested(member);
      unite();
    },
    booked: () => booked,
    stop() {
      cancelCheck();
      for (const [process, member] of members) forget(process, member);
    },
  };
}
