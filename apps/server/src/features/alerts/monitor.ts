/**
 * Looks after the armed alerts: a trigger index of its own, fed by the same prices as the engine's. Firing writes the
 * notification and the alert's new state in one statement, once per crossing, however many ticks or processes see it.
 *
 * Invariants: no alert fires on a price that is held, stale or of a closed market (A110). What could not be written stays in
 * the queue and is written later. A crossing while the server was down fires with the first price beyond the level.
 *
 * Known limitations: a price that crossed and came back between two accepted prices, or while the server was down, is not
 * seen. A repeated alert waits a minute before it can fire again.
 */
import {
  type AlertTrigger,
  asPercent,
  asPrice,
  hasChangedBy,
  liquidationTrigger,
  minuteMs,
  multiplyDivide,
  type Percent,
  type Price,
  parseDecimal,
  priceDecimals,
  roeTrigger,
  rulesOf,
  type TradingPair,
  UNIT,
} from '@fulcrum/domain';
import { allDuties, type Duties } from '../../platform/duties/shared-duties.ts';
import type { Services } from '../../platform/services.ts';
import type { Market, MarketPrice } from '../market/index.ts';
import { TriggerIndex } from '../trading/index.ts';
import {
  type Alert,
  type AlertPosition,
  armAgain,
  type Crossing,
  endAlertsOf,
  fireAlerts,
  percentOf,
  priceOf,
  readAlerts,
  readChangedSince,
  readChanges,
  readDeleted,
  readPending,
  readPositions,
} from './store.ts';
import { formatChangeAlert, formatLiquidationAlert, formatPriceAlert, formatRoeAlert } from './texts.ts';

export interface MonitorDependencies extends Services {
  readonly market: Pick<Market, 'pair' | 'price' | 'isStale' | 'candles'>;
  /** Left out: this server is alone on its database. */
  readonly duties?: Duties;
}

/** Crossings per statement, and triggers taken per tick. */
const batchMax = 500;
const checkEveryMs = 1_000;
/** Where other processes write alerts and positions too. */
const syncEveryMs = 5_000;
/** A transaction that was committed late has an earlier time. */
const syncOverlapMs = 15_000;
/** A repeated price alert waits so long, so that a price that swings around its level is no flood. */
const repeatAfterMs = minuteMs;

/** The bars that a change is computed from: the shortest ones that reach back in one page. */
const barsOf = (windowMinutes: number) =>
  windowMinutes <= 60
    ? ({ timeframe: '1m', minutes: 1 } as const)
    : windowMinutes <= 240
      ? ({ timeframe: '5m', minutes: 5 } as const)
      : ({ timeframe: '15m', minutes: 15 } as const);

/** A price that may fire an alert; null while it is held, stale, or its market is closed. */
function findUsablePrice(
  market: Pick<Market, 'price' | 'isStale'>,
  symbol: string,
  now: number,
): MarketPrice | null {
  const last = market.price(symbol);
  return last && !last.held && last.marketOpen && !market.isStale(symbol, now) ? last : null;
}

/** The market price that fires the alert; null for a change, and for what no price can reach. */
export function triggerOf(
  alert: Pick<Alert, 'kind' | 'level' | 'direction'>,
  pair: Pick<TradingPair, 'tickSize'>,
  position: AlertPosition | null,
): AlertTrigger | null {
  switch (alert.kind) {
    case 'price':
      return { price: priceOf(alert), when: alert.direction };
    case 'roe':
      return position && roeTrigger(position, pair.tickSize, percentOf(alert), alert.direction);
    case 'liquidation':
      return (
        position &&
        liquidationTrigger(position.side, position.liquidationPrice, pair.tickSize, percentOf(alert))
      );
    case 'change':
      return null;
  }
}

export function createMonitor(deps: MonitorDependencies) {
  const { db, bus, clock, timers, log, market, duties = allDuties } = deps;
  const index = new TriggerIndex(['alert']);
  /** Armed alerts, and those of open positions in any state. */
  const alerts = new Map<string, Alert>();
  const positions = new Map<string, AlertPosition>();
  const alertsOfPosition = new Map<string, Set<string>>();
  /** Repeated alerts that may not fire yet. */
  const resting = new Set<string>();
  const queue = new Map<string, Crossing>();
  const changedPositions = new Set<string>();
  let work: Promise<void> | null = null;
  let changeWork: Promise<void> | null = null;
  let isStopped = false;
  let syncedAt = clock.now();
  /** Deleted rows leave no trace, so all are compared, less often. */
  let deletionsReadAt = syncedAt;
  let syncing: Promise<void> | null = null;
  let minute = Math.floor(clock.now() / minuteMs);
  const cancels: (() => void)[] = [];

  const restsUntil = ({ kind, repeats, firedAt, windowMinutes }: Alert): number =>
    firedAt === null || !repeats
      ? 0
      : firedAt.getTime() + (kind === 'change' ? (windowMinutes ?? 0) * minuteMs : repeatAfterMs);

  function forget(id: string): void {
    const alert = alerts.get(id);
    index.disarm(id, 'alert');
    alerts.delete(id);
    resting.delete(id);
    queue.delete(id);
    if (!alert?.positionId) return;
    const siblings = alertsOfPosition.get(alert.positionId);
    siblings?.delete(id);
    if (siblings?.size !== 0) return;
    alertsOfPosition.delete(alert.positionId);
    positions.delete(alert.positionId);
  }

  function setTrigger(alert: Alert): void {
    index.disarm(alert.id, 'alert');
    resting.delete(alert.id);
    const pair = market.pair(alert.symbol);
    if (alert.state !== 'armed' || !pair) return;
    if (restsUntil(alert) > clock.now()) {
      resting.add(alert.id);
      return;
    }
    const position = alert.positionId === null ? null : (positions.get(alert.positionId) ?? null);
    const trigger = triggerOf(alert, pair, position);
    // A price beyond the index's exact range is beyond every market's.
    if (!trigger || trigger.price > BigInt(Number.MAX_SAFE_INTEGER)) return;
    const { id, accountId, symbol } = alert;
    index.arm({ id, accountId, symbol, kind: 'alert', price: trigger.price, when: trigger.when });
  }

  /** Looks after the alert in its present state. `position` is its position; null for the one known already. */
  function put(alert: Alert, position: AlertPosition | null): void {
    // Two changes at once may arrive here in the other order than they were committed.
    const held = alerts.get(alert.id);
    if (held && held.updatedAt > alert.updatedAt) return;
    const known = position ?? positions.get(alert.positionId ?? '');
    forget(alert.id);
    const isPending = alert.state === 'armed' || (alert.positionId !== null && alert.state !== 'ended');
    if (!isPending) return;
    alerts.set(alert.id, alert);
    if (alert.positionId !== null) {
      if (known) positions.set(alert.positionId, known);
      const siblings = alertsOfPosition.get(alert.positionId) ?? new Set();
      alertsOfPosition.set(alert.positionId, siblings.add(alert.id));
    }
    setTrigger(alert);
  }

  const isNews = ({ id, updatedAt }: Alert): boolean =>
    alerts.get(id)?.updatedAt.getTime() !== updatedAt.getTime();

  async function takeOver(): Promise<void> {
    const begunAt = clock.now();
    for (const alert of await readChangedSince(db, new Date(syncedAt - syncOverlapMs))) {
      if (isNews(alert)) put(alert, null);
    }
    if (begunAt - deletionsReadAt >= minuteMs) {
      for (const id of await readDeleted(db, [...alerts.keys()])) forget(id);
      deletionsReadAt = begunAt;
    }
    for (const id of alertsOfPosition.keys()) changedPositions.add(id);
    syncedAt = begunAt;
    run();
  }

  /** Takes over what other processes have written of alerts, and has their positions read again. */
  function sync(): void {
    syncing ??= takeOver()
      .catch((error: unknown) => log.debug({ err: error }, 'the alerts of other processes could not be read'))
      .finally(() => {
        syncing = null;
      });
  }

  function messageOf(alert: Alert, price: Price): string | null {
    const pair = market.pair(alert.symbol);
    if (!pair) return null;
    const decimals = priceDecimals({ ...pair });
    if (alert.kind === 'price') return formatPriceAlert(alert, price, decimals);
    const position = alert.positionId === null ? undefined : positions.get(alert.positionId);
    if (!position) return null;
    return alert.kind === 'roe'
      ? formatRoeAlert(alert, position, rulesOf('standard').openRoe(position, price))
      : formatLiquidationAlert(alert, position, price, decimals);
  }

  function cross(alert: Alert, price: Price, message: string | null): void {
    if (message !== null) queue.set(alert.id, { alert, price, message });
  }

  function tick(symbol: string): void {
    const now = clock.now();
    const last = findUsablePrice(market, symbol, now);
    if (!last || !index.isCrossed(symbol, last.price)) return;
    for (const { id } of index.take(symbol, last.price, batchMax)) {
      const alert = alerts.get(id);
      if (alert) cross(alert, last.price, messageOf(alert, last.price));
    }
    run();
  }

  /** Writes one batch of crossings. */
  async function writeCrossings(): Promise<void> {
    const batch = [...queue.values()].slice(0, batchMax);
    const at = new Date(clock.now());
    const { changes, stored } = await db.transaction(async (tx) => {
      const written = await fireAlerts(tx, batch, at);
      const notices = await readChanges(tx, 'notifications', 'INSERT', written.noticeIds, at);
      const rows = await readChanges(
        tx,
        'alerts',
        'UPDATE',
        written.fired.map(({ id }) => id),
        at,
      );
      // Those that another process has fired, or the user has changed.
      const firedIds = new Set(written.fired.map(({ id }) => id));
      const others = batch.map(({ alert }) => alert.id).filter((id) => !firedIds.has(id));
      const left = others.length === 0 ? [] : await readAlerts(tx, others);
      return { changes: [...notices, ...rows], stored: [...written.fired, ...left] };
    });
    const storedById = new Map(stored.map((alert) => [alert.id, alert]));
    for (const { alert } of batch) {
      if (queue.get(alert.id)?.alert === alert) queue.delete(alert.id);
      // The user changed it meanwhile: what that change put in place stays.
      if (alerts.get(alert.id) !== alert) continue;
      const next = storedById.get(alert.id);
      if (next) put(next, null);
      else forget(alert.id);
    }
    if (changes.length > 0) bus.publish('account.changed', { changes });
  }

  /** Reads changed positions again: closed ones end their alerts, others set new prices. */
  async function followPositions(): Promise<void> {
    // A change that is announced meanwhile is read with the next pass.
    const ids = [...changedPositions];
    changedPositions.clear();
    try {
      await followThese(ids);
    } catch (error) {
      for (const id of ids) changedPositions.add(id);
      throw error;
    }
  }

  async function followThese(ids: readonly string[]): Promise<void> {
    const at = new Date(clock.now());
    const read = await readPositions(db, ids);
    const closed = ids.filter((id) => !read.some((position) => position.id === id && position.isOpen));
    const waiting: string[] = [];
    for (const position of read) {
      if (!position.isOpen || !alertsOfPosition.has(position.id)) continue;
      const before = positions.get(position.id);
      positions.set(position.id, position);
      const isOther = before === undefined || !hasSameTerms(before, position);
      for (const id of alertsOfPosition.get(position.id) ?? []) {
        const alert = alerts.get(id);
        if (!alert) continue;
        // A fired one is armed again by a change of its position.
        if (alert.state === 'fired' && alert.repeats && before !== undefined && isOther) waiting.push(id);
        else if (isOther) setTrigger(alert);
      }
    }
    const { ended, armed, changes } = await db.transaction(async (tx) => {
      const ended = closed.length === 0 ? [] : await endAlertsOf(tx, closed);
      const armed = waiting.length === 0 ? [] : await armAgain(tx, waiting);
      const written = [...ended, ...armed.map(({ id }) => id)];
      return { ended, armed, changes: await readChanges(tx, 'alerts', 'UPDATE', written, at) };
    });
    for (const id of ended) forget(id);
    for (const alert of armed) put(alert, null);
    if (changes.length > 0) bus.publish('account.changed', { changes });
  }

  const hasWork = (): boolean => !isStopped && (changedPositions.size > 0 || queue.size > 0);

  /** Whether `step` succeeded; what it could not write is retried within a second. */
  async function attempt(step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      log.warn({ err: error }, 'alerts could not be written; retrying within a second');
      return false;
    }
  }

  async function drain(): Promise<void> {
    while (hasWork()) {
      // A position that cannot be read does not keep other alerts from firing.
      const isFollowed = changedPositions.size === 0 || (await attempt(followPositions));
      const isWritten = queue.size === 0 || (await attempt(writeCrossings));
      if (!isFollowed || !isWritten) return;
    }
  }

  function run(): void {
    if (work || !hasWork()) return;
    work = drain().finally(() => {
      work = null;
    });
  }

  /** Looks at the alerts on a change in a time; once per closed minute. */
  async function checkChanges(): Promise<void> {
    const groups = new Map<string, Alert[]>();
    for (const alert of alerts.values()) {
      if (alert.kind !== 'change' || alert.state !== 'armed' || restsUntil(alert) > clock.now()) continue;
      const key = `${alert.symbol} ${alert.windowMinutes}`;
      const group = groups.get(key);
      if (group) group.push(alert);
      else groups.set(key, [alert]);
    }
    for (const group of groups.values()) {
      const [first] = group;
      if (isStopped || !first || first.windowMinutes === null) return;
      try {
        await checkGroup(first.symbol, first.windowMinutes, group);
      } catch (error) {
        log.warn({ err: error }, 'alerts on a change of one market were not checked in this minute');
      }
    }
  }

  /** Checks the alerts on one market and time. */
  async function checkGroup(symbol: string, windowMinutes: number, group: readonly Alert[]): Promise<void> {
    const last = findUsablePrice(market, symbol, clock.now());
    const pair = market.pair(symbol);
    if (!last || !pair) return;
    const before = await readPriceBefore(symbol, last, windowMinutes);
    if (before === null) return;
    const change = changeBetween(before, last.price);
    for (const alert of group) {
      if (alerts.get(alert.id) !== alert) continue;
      if (!hasChangedBy(before, last.price, percentOf(alert), alert.direction)) continue;
      cross(alert, last.price, formatChangeAlert(alert, change, last.price, priceDecimals(pair)));
    }
    run();
  }

  /** The close of the last bar that ended at least `windowMinutes` before the price; null without such a bar. */
  async function readPriceBefore(
    symbol: string,
    { marketTime }: MarketPrice,
    windowMinutes: number,
  ): Promise<Price | null> {
    const { timeframe, minutes } = barsOf(windowMinutes);
    const limit = Math.ceil(windowMinutes / minutes) + 2;
    // No provider is called for the alerts of all users: stored bars suffice.
    const bars = await market.candles(symbol, timeframe, { limit, before: null }, 'stored');
    const until = marketTime - windowMinutes * minuteMs;
    const bar = bars.findLast(({ open_time }) => Date.parse(open_time) + minutes * minuteMs <= until);
    return bar ? asPrice(parseDecimal(bar.close)) : null;
  }

  function beat(): void {
    const now = clock.now();
    for (const id of [...resting]) {
      const alert = alerts.get(id);
      if (alert && restsUntil(alert) <= now) setTrigger(alert);
    }
    run();
    const closed = Math.floor(now / minuteMs);
    if (closed === minute || changeWork) return;
    minute = closed;
    changeWork = checkChanges()
      .catch((error) => log.warn({ err: error }, 'alerts on a change were not looked at in this minute'))
      .finally(() => {
        changeWork = null;
      });
  }

  return {
    /** Looks after an alert that was just written; its position may have changed since it was read. */
    put(alert: Alert, position: AlertPosition | null): void {
      put(alert, position);
      if (alert.positionId === null) return;
      changedPositions.add(alert.positionId);
      run();
    },
    forget,
    /** Loads what is pending, then follows prices and positions. */
    async start(): Promise<void> {
      for await (const page of readPending(db)) {
        for (const alert of page) put(alert, null);
      }
      // Their positions may have changed or closed meanwhile.
      for (const id of alertsOfPosition.keys()) changedPositions.add(id);
      cancels.push(
        bus.subscribe('market.tick', ({ symbol }) => tick(symbol)),
        bus.subscribe('account.changed', ({ changes }) => {
          for (const { table, record, oldRecord } of changes) {
            const id = table === 'positions' ? (record ?? oldRecord)?.id : undefined;
            if (typeof id === 'string' && alertsOfPosition.has(id)) changedPositions.add(id);
          }
          if (changedPositions.size > 0) run();
        }),
        // Positions and alerts of any user: what other processes have changed is found by looking.
        ...(duties.isShared ? [timers.every(syncEveryMs, sync)] : []),
        timers.every(checkEveryMs, beat),
      );
      run();
    },
    async stop(): Promise<void> {
      for (const cancel of cancels.splice(0)) cancel();
      isStopped = true;
      await Promise.all([work, changeWork, syncing]);
    },
    /** Resolves when everything seen so far is written. */
    async settled(): Promise<void> {
      while (work || changeWork) await Promise.all([work, changeWork]);
    },
    size: () => alerts.size,
  };
}
export type Monitor = ReturnType<typeof createMonitor>;

const hasSameTerms = (one: AlertPosition, other: AlertPosition): boolean =>
  one.side === other.side &&
  one.entryPrice === other.entryPrice &&
  one.size === other.size &&
  one.margin === other.margin &&
  one.liquidationPrice === other.liquidationPrice;

/** The change in per cent, for a text. */
const changeBetween = (before: Price, price: Price): Percent =>
  asPercent(multiplyDivide(price - before, 100n * UNIT, before, 'half-away-from-zero'));
