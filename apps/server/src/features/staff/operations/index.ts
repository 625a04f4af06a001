/** Operations for admins: the state of the platform, which `/health` shows to operators, with names. */
import type { getPlatform } from '@fulcrum/contract';
import type { z } from 'zod';
import type { Queryable } from '../../../platform/database/index.ts';
import { isMainSql, isWaitingSql } from '../../../platform/database/row-scope.ts';
import type { StaffDependencies } from '../dependencies.ts';

type OperationsState = z.input<typeof getPlatform.result>;

/** The engine's memory holds only who was there lately. */
async function countOpen(db: Queryable): Promise<{ readonly positions: number; readonly orders: number }> {
  const { rows } = await db.query<{ positions: number; orders: number }>(
    `select (select coalesce(sum(opened - closed), 0)::int from app.daily_totals) as positions,
            (select count(*)::int from app.orders o where ${isWaitingSql('status')} and ${isMainSql('o.user_id')}) as orders`,
    [],
    'count_open',
  );
  return rows[0] ?? { positions: 0, orders: 0 };
}

export function createOperations({ db, clock, market, trading, backups }: StaffDependencies) {
  return {
    async get_platform(): Promise<OperationsState> {
      const { queued, batches, commands } = trading.state();
      const { positions, orders } = await countOpen(db);
      const { checkedAt, fullCheckedAt } = trading.invariants();
      const halt = await trading.halts.current();
      const feeds = market.sourceStates();
      const backup = backups();
      return {
        feeds: feeds.map(({ staleSymbols, lastTickAt, ticks, ...feed }) => ({
          ...feed,
          stale_symbols: staleSymbols,
          last_tick_at: lastTickAt,
          ticks: [...ticks],
        })),
        engine: {
          state: halt === null ? 'trading' : 'halted',
          halt,
          queued,
          open_positions: positions,
          waiting_orders: orders,
          batches,
          commands,
        },
        invariants: trading
          .checks()
          .map(({ number, title, ok, detail }) => ({ number, name: title, ok, detail })),
        checked_at: checkedAt,
        full_checked_at: fullCheckedAt,
        backup: backup && { last_at: backup.lastAt, trouble: backup.trouble },
        simulated: feeds.some(({ source }) => source === 'simulated'),
        at: new Date(clock.now()).toISOString(),
      };
    },
  };
}
