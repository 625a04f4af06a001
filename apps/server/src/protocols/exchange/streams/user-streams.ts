/**
 * The events of accounts, for whoever has their listen key. What the bus says is a hint: the rows are read anew, in one snapshot, and what is
 * new of them is reported. Invariants: listeners of one account get the same events in the order of its versions; nothing of an account
 * reaches a socket whose listen key is not valid; a read that fails is repeated.
 */
import type { Events } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import type { Database, Queryable } from '../../../platform/database/index.ts';
import { inReadSnapshot } from '../../../platform/database/read-snapshot.ts';
import type { Services } from '../../../platform/services.ts';
import type { DoorAdmission } from '../admission.ts';
import type { DoorKeys } from '../keys.ts';
import {
  isActivated,
  isConditional,
  isListedAsOrder,
  legColumnsSql,
  legIdOf,
  legsOf,
  orderColumnsSql,
  orderOfTrade,
  type StoredLegs,
  type StoredOrder,
  type StoredTrade,
  toWireAlgoOrder,
  toWireOrder,
  toWireTrade,
  tradeColumnsSql,
  tradesFromSql,
} from '../orders/order-wire.ts';
import type { UserStreams } from './hub.ts';
import type { ListenKeys } from './listen-keys.ts';
import { StreamMessage, type StreamSocket } from './socket.ts';
import { type AccountState, accountEvent, OrderTracker, type ReportedTrade } from './user-events.ts';

/** How much further back than the last report trades are looked for: a commit ends after its time. */
const tradesWithinMs = minuteMs;
const retryMs = 1_000;
const validityEveryMs = 10_000;

interface UserStreamsOptions extends Pick<Services, 'bus' | 'clock' | 'log'> {
  readonly db: Database;
  readonly keys: Pick<DoorKeys, 'onRevoked'>;
  /** Of the door's admission: look-ups of an address that guesses cost it weight. */
  readonly lookUp: DoorAdmission['lookUp'];
  readonly listenKeys: Pick<ListenKeys, 'find' | 'filterValid'>;
  /** Balance and positions of an account as REST shows them, as the snapshot sees them. */
  readonly readState: (tx: Queryable, accountId: string) => Promise<AccountState>;
  /** The exchange's name of a symbol. */
  readonly idOf: (symbol: string) => string;
}

interface Listener {
  readonly socket: StreamSocket;
  readonly keyId: string;
  readonly listenKey: string;
  readonly account: AccountEvents;
}

export function createUserStreams(options: UserStreamsOptions) {
  const { bus, keys, listenKeys, log } = options;
  const accounts = new Map<string, AccountEvents>();
  const listeners = new Map<StreamSocket, Listener>();
  let checkedAt = 0;

  const stopListening = [
    bus.subscribe('account.changed', ({ changes }) => {
      if (accounts.size === 0) return;
      for (const change of changes) if (change.userId !== null) accounts.get(change.userId)?.note(change);
    }),
    keys.onRevoked((keyId) => endAll(({ keyId: id }) => id === keyId)),
  ];

  function detach(socket: StreamSocket): void {
    const listener = listeners.get(socket);
    if (!listener) return;
    listeners.delete(socket);
    const { account } = listener;
    account.sockets.delete(socket);
    account.names.delete(socket);
    if (account.sockets.size > 0) return;
    account.stop();
    if (accounts.get(account.accountId) === account) accounts.delete(account.accountId);
  }

  /** Tells listeners that their key is over. The connection stays, as at the exchange. */
  function endAll(isOver: (listener: Listener) => boolean): void {
    for (const listener of [...listeners.values()]) {
      if (!isOver(listener)) continue;
      const { socket, listenKey } = listener;
      socket.sendEvent(
        new StreamMessage(listenKey, { e: 'listenKeyExpired', E: options.clock.now(), listenKey }),
      );
      detach(socket);
    }
  }

  async function endInvalid(): Promise<void> {
    const held = new Map([...listeners.values()].map(({ listenKey, keyId }) => [listenKey, keyId]));
    if (held.size === 0) return;
    const valid = await listenKeys.filterValid([...held.values()]);
    endAll(({ listenKey }) => held.has(listenKey) && !valid.has(listenKey));
  }

  const users: UserStreams = {
    async attach(socket, listenKey, ip) {
      if (listeners.get(socket)?.listenKey === listenKey) return true;
      const key = await options.lookUp(ip, 'listenKey', () => listenKeys.find(listenKey));
      if (!key?.allows(ip) || !socket.isOpen) return false;
      detach(socket);
      const account = accounts.get(key.accountId) ?? new AccountEvents(key.accountId, options);
      accounts.set(key.accountId, account);
      account.sockets.add(socket);
      account.names.set(socket, listenKey);
      listeners.set(socket, { socket, keyId: key.id, listenKey, account });
      try {
        await account.started;
      } catch (error) {
        detach(socket);
        throw error;
      }
      return true;
    },
    detach,
    sweep(now) {
      if (now - checkedAt < validityEveryMs) return;
      checkedAt = now;
      endInvalid().catch((error: unknown) => log.warn({ err: error }, 'listen keys could not be checked'));
    },
  };
  return {
    ...users,
    /** Ends the events of an API key whose listen key was closed. */
    close: (keyId: string): void => endAll(({ keyId: id }) => id === keyId),
    stop(): void {
      for (const stop of stopListening) stop();
      for (const account of accounts.values()) account.stop();
    },
  };
}

interface Changed {
  readonly orders: Set<string>;
  readonly positions: Set<string>;
}
const nothing = (): Changed => ({ orders: new Set(), positions: new Set() });

/** The events of one account. */
class AccountEvents {
  readonly accountId: string;
  readonly sockets = new Set<StreamSocket>();
  /** What each listener called the stream. */
  readonly names = new Map<StreamSocket, string>();
  /** Resolves when everything from now on is reported. */
  readonly started: Promise<void>;
  readonly #options: UserStreamsOptions;
  readonly #tracker = new OrderTracker();
  #changed = nothing();
  #isChanged: boolean;
  #isReading: boolean;
  #isStopped: boolean;
  /** When everything up to then was reported, ms since the epoch. */
  #readAt: number;
  /** The last trade that was reported. */
  #tradeNumber = 0n;
  #state: AccountState | null = null;
  readonly #endNeed: () => void;

  constructor(accountId: string, options: UserStreamsOptions) {
    this.accountId = accountId;
    this.#options = options;
    this.#isChanged = false;
    this.#isReading = true;
    this.#isStopped = false;
    this.#readAt = options.clock.now();
    this.#endNeed = options.bus.needRows(accountId);
    this.started = this.#begin();
    // Whoever attaches awaits it; nobody else does.
    this.started.catch(() => undefined);
  }

  note({ table, record }: Events['account.changed']['changes'][number]): void {
    const id = record?.id;
    if (typeof id !== 'string') return;
    if (table === 'orders') this.#changed.orders.add(id);
    else if (table === 'positions') this.#changed.positions.add(id);
    else if (table !== 'wallets') return;
    this.#isChanged = true;
    if (!this.#isReading) void this.#read();
  }

  stop(): void {
    this.#isStopped = true;
    this.#endNeed();
  }

  async #begin(): Promise<void> {
    const { db, idOf, readState } = this.#options;
    const id = this.accountId;
    await inReadSnapshot(db, async (tx) => {
      const { rows: orders } = await tx.query<StoredOrder>(
        `select ${orderColumnsSql} from app.orders o where o.user_id = $1 and o.status in ('NEW', 'PARTIALLY_FILLED')`,
        [id],
      );
      const legs = await readLegs(tx, id, []);
      const { rows: last } = await tx.query<{ number: string | null }>(
        "select max(number) as number from app.executions where user_id = $1 and created_at > now() - interval '1 day'",
        [id],
      );
      this.#state = await readState(tx, id);
      this.#tradeNumber = BigInt(last[0]?.number ?? 0);
      this.#tracker.begin(
        orders.filter(isListedAsOrder).map((order) => toWireOrder(order, idOf(order.symbol))),
        [
          ...orders
            .filter(({ type }) => isConditional(type))
            .map((order) => toWireAlgoOrder(order, idOf(order.symbol))),
          ...legs.flatMap((position) => legsOf(position, idOf(position.symbol))),
        ],
      );
    });
    this.#isReading = false;
    if (this.#isChanged) void this.#read();
  }

  /** Reads and tells until nothing is new. */
  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#isChanged && !this.#isStopped) {
      const changed = this.#changed;
      this.#changed = nothing();
      this.#isChanged = false;
      try {
        await this.#report(changed);
      } catch (error) {
        this.#options.log.warn({ err: error }, 'the events of an account are read again');
        for (const id of changed.orders) this.#changed.orders.add(id);
        for (const id of changed.positions) this.#changed.positions.add(id);
        this.#isChanged = true;
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      }
    }
    this.#isReading = false;
  }

  async #report(changed: Changed): Promise<void> {
    const { db, idOf, clock, readState } = this.#options;
    const id = this.accountId;
    const now = clock.now();
    const { orders, trades, legs, state } = await inReadSnapshot(db, async (tx) => {
      const newTrades = await readTrades(tx, id, this.#tradeNumber, new Date(this.#readAt - tradesWithinMs));
      return {
        trades: newTrades,
        // A trade may be there before the hint of its order.
        orders: await readOrders(
          tx,
          id,
          [...changed.orders],
          newTrades.flatMap(({ order_number: number }) => number ?? []),
        ),
        legs: await readLegs(tx, id, [...changed.positions]),
        state: await readState(tx, id),
      };
    });
    const events: object[] = [];
    const reported = (row: StoredTrade): ReportedTrade => ({
      ...toWireTrade(row, idOf(row.symbol)),
      isLiquidation: row.order_number === null && row.close_reason === 'liquidation',
    });
    // Legs first: an order that a leg of a position became is a trade without an order.
    const legEvents = legs.map((position) => this.#legEvents(position, idOf(position.symbol), now));
    for (const { before } of legEvents) events.push(...before);
    for (const row of orders) {
      const symbol = idOf(row.symbol);
      const algo = isConditional(row.type) ? this.#tracker.algo(toWireAlgoOrder(row, symbol), now) : null;
      events.push(...(algo?.before ?? []));
      if (isListedAsOrder(row)) {
        const own = trades.filter(({ order_number: number }) => number === row.number).map(reported);
        events.push(
          ...this.#tracker.order(
            toWireOrder(row, symbol, isActivated(row) ? 'order' : 'condition'),
            own,
            now,
          ),
        );
      }
      events.push(...(algo?.after ?? []));
    }
    for (const row of trades) {
      if (row.order_number !== null) continue;
      events.push(...this.#tracker.order(orderOfTrade(row, idOf(row.symbol)), [reported(row)], now));
    }
    for (const { after } of legEvents) events.push(...after);
    const account = this.#state && accountEvent(this.#state, state, { hasTraded: trades.length > 0, now });
    if (account) events.push(account);
    this.#state = state;
    const newest = trades.at(-1);
    if (newest) this.#tradeNumber = BigInt(newest.number);
    this.#readAt = now;
    for (const event of events) this.#send(event);
  }

  #legEvents(position: StoredLegs, symbol: string, now: number): { before: object[]; after: object[] } {
    const [before, after]: [object[], object[]] = [[], []];
    const present = legsOf(position, symbol);
    for (const leg of present) {
      const steps = this.#tracker.algo(leg, now);
      before.push(...steps.before);
      after.push(...steps.after);
    }
    const ids = [legIdOf(position.number, 'takeProfit'), legIdOf(position.number, 'stopLoss')];
    for (const gone of this.#tracker.missingLegs(new Set(present.map(({ algoId }) => algoId)), ids)) {
      after.push(canceledLeg(position, gone, symbol, now));
      this.#tracker.forgetAlgo(gone);
    }
    return { before, after };
  }

  #send(event: object): void {
    for (const socket of this.sockets) {
      socket.sendEvent(new StreamMessage(this.names.get(socket) ?? '', event));
    }
  }
}

/** A leg that was removed has no price any more; what is known of it is who it was. */
const canceledLeg = (
  { side, created_at: at, number }: StoredLegs,
  algoId: number,
  symbol: string,
  now: number,
) => ({
  ...{ e: 'ALGO_UPDATE', E: now, T: now },
  o: {
    ...{
      caid: `${algoId === legIdOf(number, 'takeProfit') ? 'tp_' : 'sl_'}${algoId}`,
      aid: algoId,
      at: 'CONDITIONAL',
    },
    ...{ o: algoId === legIdOf(number, 'takeProfit') ? 'TAKE_PROFIT_MARKET' : 'STOP_MARKET', s: symbol },
    ...{
      S: side === 'BUY' ? 'SELL' : 'BUY',
      ps: 'BOTH',
      f: 'GTC',
      q: '0',
      X: 'CANCELED',
      ai: '',
      ap: '0',
      aq: '0',
    },
    ...{ tp: '0', p: '0', cp: true, pP: false, R: true, tt: 0, gtd: 0, rm: '', ct: at.getTime() },
  },
});

async function readOrders(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
  numbers: readonly string[],
): Promise<readonly StoredOrder[]> {
  if (ids.length + numbers.length === 0) return [];
  const { rows } = await tx.query<StoredOrder>(
    `select ${orderColumnsSql} from app.orders o
     where o.user_id = $1 and o.rules = 'perpetual' and (o.id = any($2) or o.number = any($3))
     order by o.account_version, o.number`,
    [accountId, ids, numbers],
  );
  return rows;
}

async function readTrades(
  tx: Queryable,
  accountId: string,
  after: bigint,
  since: Date,
): Promise<readonly StoredTrade[]> {
  const { rows } = await tx.query<StoredTrade>(
    `select ${tradeColumnsSql} ${tradesFromSql}
     where e.user_id = $1 and e.created_at > $3 and e.number > $2 order by e.number`,
    [accountId, String(after), since],
  );
  return rows;
}

/** Of open positions, and of those that changed. */
async function readLegs(
  tx: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<readonly StoredLegs[]> {
  const { rows } = await tx.query<StoredLegs>(
    `select ${legColumnsSql} from app.positions p
     where p.user_id = $1 and p.split_from is null and (p.status = 'open' or p.id = any($2)) order by p.number`,
    [accountId, ids],
  );
  return rows;
}
