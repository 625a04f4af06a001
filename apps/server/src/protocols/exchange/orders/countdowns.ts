/**
 * The dead-man switch of bots: an account's waiting orders of a symbol are cancelled when its countdown ends, unless it is renewed.
 * Countdowns are rows, so they go on over a restart, and one that ended meanwhile is executed at the start. Invariant: a row is
 * removed only after its orders were cancelled, and only if it was not renewed meanwhile.
 *
 * Orders that wait for a trigger stay, as do take profit and stop loss: they protect a position whose bot is gone.
 */
import { allDuties } from '../../../platform/duties/shared-duties.ts';
import type { OrderDependencies } from './dependencies.ts';
import { isListedAsOrder } from './order-wire.ts';

const sweepEveryMs = 250;
const rowsMax = 200;
/** Until what was refused is tried again. */
const retryMs = 1_000;
/** Where other processes set countdowns too. */
const polledEveryMs = 1_000;

interface Due {
  readonly accountId: string;
  readonly ownerId: string;
  readonly symbol: string;
  readonly dueAt: Date;
}

export type Countdowns = ReturnType<typeof createCountdowns>;

export function createCountdowns({
  db,
  clock,
  timers,
  log,
  reads,
  trading,
  duties = allDuties,
}: Pick<OrderDependencies, 'db' | 'clock' | 'timers' | 'log' | 'reads' | 'trading' | 'duties'>) {
  /** The earliest instant at which a row may be due: a sweep before it reads nothing. Unknown at the start. */
  let nextAt = Number.NEGATIVE_INFINITY;
  let sweeping: Promise<void> | null = null;
  let cancelTimer = (): void => {};

  /** False while one of the orders still waits. */
  async function cancelOrdersOf({ accountId, ownerId, symbol, dueAt }: Due): Promise<boolean> {
    const rows = await reads.waiting(accountId, symbol);
    const origin = { accountId, ownerId, actorId: ownerId, authority: null, reason: null };
    // One that ends meanwhile is refused, and needs no cancelling.
    await Promise.allSettled(
      rows
        .filter(isListedAsOrder)
        .map(({ id }) => trading.engine.submit(origin, { kind: 'cancel', orderId: id }, null)),
    );
    const left = (await reads.waiting(accountId, symbol)).filter(isListedAsOrder);
    const isDone = left.every(({ id }) => !rows.some((row) => row.id === id));
    if (!isDone) return false;
    await db.query(
      'delete from app.cancel_countdowns where user_id = $1 and symbol = $2 and due_at = $3',
      [accountId, symbol, dueAt],
      'end_countdown',
    );
    return true;
  }

  async function sweep(now: number): Promise<void> {
    // One that another process has set is found by looking.
    nextAt = duties.isShared ? now + polledEveryMs : Number.POSITIVE_INFINITY;
    const { rows } = await db.query<Due>(
      `select c.user_id as "accountId", a.owner_id as "ownerId", c.symbol, c.due_at as "dueAt"
       from app.cancel_countdowns c join app.trading_accounts a on a.id = c.user_id order by c.due_at limit ${rowsMax}`,
      [],
      'countdowns',
    );
    const due = rows.filter(({ dueAt }) => dueAt.getTime() <= now);
    const [next] = rows.slice(due.length);
    nextAt = Math.min(nextAt, next?.dueAt.getTime() ?? Number.POSITIVE_INFINITY);
    const done = await Promise.all(due.map(cancelOrdersOf));
    if (done.includes(false)) nextAt = Math.min(nextAt, now + retryMs);
    // There may be more than were read.
    else if (rows.length === rowsMax) nextAt = now;
  }

  function check(): void {
    const now = clock.now();
    // During a halt every cancellation would be refused.
    if (!duties.isOurs('chores') || sweeping !== null || now < nextAt || trading.state().halted !== null)
      return;
    sweeping = sweep(now)
      .catch((error: unknown) => {
        nextAt = now + retryMs;
        log.warn({ err: error }, 'countdowns could not be executed; retrying');
      })
      .finally(() => {
        sweeping = null;
      });
  }

  return {
    /** Begins the countdown anew; 0 ms ends it. `symbol`: of the app. */
    async set(accountId: string, symbol: string, ms: number): Promise<void> {
      if (ms === 0) {
        await db.query(
          'delete from app.cancel_countdowns where user_id = $1 and symbol = $2',
          [accountId, symbol],
          'withdraw_countdown',
        );
        return;
      }
      const dueAt = clock.now() + ms;
      await db.query(
        `insert into app.cancel_countdowns (user_id, symbol, due_at) values ($1, $2, $3)
         on conflict (user_id, symbol) do update set due_at = excluded.due_at`,
        [accountId, symbol, new Date(dueAt)],
        'set_countdown',
      );
      nextAt = Math.min(nextAt, dueAt);
    },
    start(): void {
      check();
      cancelTimer = timers.every(sweepEveryMs, check);
    },
    /** Resolves when no sweep runs. */
    async stop(): Promise<void> {
      cancelTimer();
      await sweeping;
    },
  };
}
