/**
 * The market of one process of several. Every process follows a mirror of the leader's frames, that of the leader too, so all act on
 * the same tape and nothing is switched when the leader changes. A process that may lead competes for the duty `market`; its holder
 * runs the market of `createMarket`, with a bus of its own and a database that proves the term. Invariants: what a former leader
 * writes late changes nothing; a new one begins as after a restart.
 */
import { createBus } from '../../../platform/bus/index.ts';
import type { ClusterLink } from '../../../platform/cluster/link.ts';
import { withLoopback } from '../../../platform/cluster/loopback.ts';
import type { Database } from '../../../platform/database/index.ts';
import { createDuty, type DutyTerm, type DutyWork, withTerm } from '../../../platform/duties/index.ts';
import { createMarket, type MarketDependencies } from '../index.ts';
import { createMirror, type MarketMirror } from './mirror.ts';
import { createPublisher, type Publisher } from './publisher.ts';

/** A leader that is not connected for so long gives the duty back: others do not hear it. */
const unconnectedMsMax = 2_000;

interface ClusterMarketDependencies extends MarketDependencies {
  readonly link: ClusterLink;
  /** For the duty; left out: those of `db`, with whose other work it then waits. */
  readonly dutyConnections?: Database;
  /** Whether this process runs the feeds when it holds the duty. */
  readonly mayLead: boolean;
}

export interface ClusterMarket extends MarketMirror {
  /** The term that this process leads; null while another one does. */
  leads(): number | null;
}

export function createClusterMarket(deps: ClusterMarketDependencies): ClusterMarket {
  const { db, timers, log } = deps;
  const link = withLoopback(deps.link);
  const mirror = createMirror({ ...deps, link });
  let pendingSettlement: () => Promise<void> | null = () => null;
  const duty = deps.mayLead
    ? createDuty({
        ...{ db: deps.dutyConnections ?? db, timers, log, name: 'market', processId: link.processId },
        work: createLeadership({ ...deps, link }, () => pendingSettlement()),
      })
    : null;
  return {
    ...mirror,
    leads: () => duty?.term() ?? null,
    setPendingSettlement(settlement) {
      pendingSettlement = settlement;
    },
    async start() {
      duty?.start();
      await mirror.start();
    },
    async stop() {
      await duty?.stop();
      await mirror.stop();
    },
  };
}

function createLeadership(
  deps: ClusterMarketDependencies,
  pendingSettlement: () => Promise<void> | null,
): DutyWork {
  const { link, timers, log } = deps;
  let publisher: Publisher | null = null;
  let stopMarket: () => Promise<void> = async () => {};
  let isOver = false;
  let unconnectedSince: number | null = link.isConnected() ? null : -Infinity;
  link.onConnection((isConnected) => {
    unconnectedSince = isConnected ? null : performance.now();
  });

  async function lead(held: DutyTerm): Promise<void> {
    const bus = createBus(log);
    const market = createMarket({ ...deps, bus, db: withTerm(deps.db, held), retainsSources: true });
    market.setPendingSettlement(pendingSettlement);
    const started = market.start();
    stopMarket = async () => {
      await started.catch(() => undefined);
      await market.stop();
    };
    await started;
    if (isOver) return;
    publisher = createPublisher({ term: held.term, market, bus, link, timers, log });
  }

  return {
    begin(held) {
      isOver = false;
      return lead(held);
    },
    async end() {
      isOver = true;
      publisher?.stop();
      publisher = null;
      await stopMarket();
    },
    isWilling: () => unconnectedSince === null || performance.now() - unconnectedSince < unconnectedMsMax,
    mark: () => publisher?.seq() ?? null,
  };
}
