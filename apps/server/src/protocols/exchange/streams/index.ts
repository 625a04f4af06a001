/** The sockets of `/fapi`, assembled: market streams, events of accounts, requests over a socket. */
import type { marketDataRoutes, streamRoutes } from '@fulcrum/contract/exchange';
import type { FastifyInstance } from 'fastify';
import type { Market } from '../../../features/market/index.ts';
import type { Secrets } from '../../../platform/config/secrets.ts';
import type { Queryable } from '../../../platform/database/index.ts';
import type { Services } from '../../../platform/services.ts';
import type { Upgrades } from '../../sockets/upgrades.ts';
import { marksOf, symbolStates, toPositionRisk, totalsOf } from '../account/figures.ts';
import { readAccountState } from '../account/reads.ts';
import type { DoorAdmission } from '../admission.ts';
import type { Door } from '../door.ts';
import type { ExchangeError } from '../errors.ts';
import type { HandlersOf } from '../handlers.ts';
import type { DoorKeys } from '../keys.ts';
import type { Symbols } from '../symbols.ts';
import { StreamHub } from './hub.ts';
import type { StreamLimits } from './limits.ts';
import { createListenKeys } from './listen-keys.ts';
import type { Depth } from './market-messages.ts';
import { createMarketReads } from './market-reads.ts';
import type { AccountState } from './user-events.ts';
import { createUserStreams } from './user-streams.ts';

export interface StreamsDependencies extends Services {
  readonly keys: DoorKeys;
  readonly market: Pick<Market, 'pair' | 'pairs' | 'price' | 'follow' | 'followAll'>;
  readonly secrets: Pick<Secrets, 'apiKeysKey'>;
  readonly upgrades: Upgrades;
  readonly symbols: Symbols;
  readonly lookUp: DoorAdmission['lookUp'];
  readonly streamLimits?: Partial<StreamLimits>;
  /** The handlers of REST, once there are any: what streams say is what these answer. */
  readonly read: () => HandlersOf<typeof marketDataRoutes>;
}
export type StreamsState = StreamHub['state'];

export function createStreams(deps: StreamsDependencies) {
  const { market, symbols, read, clock } = deps;
  const markOf = marksOf(market);
  /** As REST shows it. */
  async function readState(tx: Queryable, accountId: string): Promise<AccountState> {
    const state = await readAccountState(tx, accountId);
    const { walletBalance, crossWalletBalance } = totalsOf(state, market.pair, markOf);
    const rows = symbolStates(state, symbols.pairs(), symbols.idOf, 'in use')
      .filter(({ position }) => position !== undefined)
      .map((row) => toPositionRisk(row, markOf));
    return {
      walletBalance,
      crossWalletBalance,
      positions: new Map(rows.map((row) => [row.symbol, row])),
    };
  }
  const listenKeys = createListenKeys({
    ...deps,
    serverKey: deps.secrets.apiKeysKey,
    onClosed: (keyId) => users.close(keyId),
  });
  const users = createUserStreams({
    ...deps,
    listenKeys,
    readState,
    idOf: symbols.idOf,
  });
  const hub = new StreamHub({
    ...deps,
    users,
    ...createMarketReads(read),
    isSymbol: (id) => symbols.has(id),
    follow: (id) => (id === null ? market.followAll() : market.follow(symbols.pairOf(id).symbol)),
    ...(deps.streamLimits && { limits: deps.streamLimits }),
  });
  const handlers: HandlersOf<typeof streamRoutes> = listenKeys.handlers;
  return {
    handlers,
    /** Serves the sockets on `app`, in the same form as all of the door. */
    register(app: FastifyInstance, calls: { door: Door; errorOf: (error: unknown) => ExchangeError }): void {
      hub.register(app, { ...calls, now: () => clock.now() });
    },
    state: (): StreamsState => hub.state,
    /** Call with each snapshot of a book that a client is given. */
    noteSnapshot: (id: string, depth: Depth): void => hub.noteSnapshot(id, depth),
    async stop(): Promise<void> {
      users.stop();
      await hub.stop();
    },
  };
}
