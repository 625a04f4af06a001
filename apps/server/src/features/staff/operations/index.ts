/** Operations for admins: the state of the platform, which `/health` shows to operators, with names. */
import type { ResultOf } from '@fulcrum/contract';
import type { Member } from '../../../platform/cluster/members.ts';
import type { Queryable } from '../../../platform/database/index.ts';
import { isMainSql, isWaitingSql } from '../../../platform/database/row-scope.ts';
import type { StaffDependencies } from '../dependencies.ts';

type OperationsState = ResultOf<'get_platform'>;

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

const total = (members: readonly Member[], figure: 'queued' | 'batches' | 'commands'): number =>
  members.reduce((sum, member) => sum + member[figure], 0);

/** Of the processes that are there, the one that verified it last: a new holder of the duty has no result yet. */
export const latestLedger = (members: readonly Member[]): Member['ledger'] =>
  members
    .flatMap(({ isSilent, ledger }) => (isSilent ? [] : (ledger ?? [])))
    .reduce<Member['ledger']>(
      (latest, ledger) =>
        latest === null || (ledger.checkedAt ?? '') > (latest.checkedAt ?? '') ? ledger : latest,
      null,
    );

export function createOperations({ db, clock, market, trading, backups, processes }: StaffDependencies) {
  return {
    async get_platform(): Promise<OperationsState> {
      const members = processes();
      const ownEngine = trading.state();
      const engineTotal = (figure: 'queued' | 'batches' | 'commands'): number =>
        members === null ? ownEngine[figure] : total(members, figure);
      const { positions, orders } = await countOpen(db);
      // The holder of the duty verifies it for all.
      const ledger = latestLedger(members ?? []) ?? {
        ...trading.invariants(),
        checks: trading.checks(),
      };
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
          queued:
            members === null
              ? ownEngine.queued
              : total(
                  members.filter(({ isSilent }) => !isSilent),
                  'queued',
                ),
          open_positions: positions,
          waiting_orders: orders,
          batches: engineTotal('batches'),
          commands: engineTotal('commands'),
        },
        invariants: ledger.checks.map(({ number, title, ok, detail }) => ({
          number,
          name: title,
          ok,
          detail,
        })),
        checked_at: ledger.checkedAt,
        full_checked_at: ledger.fullCheckedAt,
        backup: backup && { last_at: backup.lastAt, trouble: backup.trouble },
        processes:
          members?.map(({ process: id, startedAt, isSilent, ...member }) => ({
            ...{ id, name: member.name, roles: member.roles, duties: member.duties },
            ...{ version: member.version, started_at: startedAt, slots: member.slots },
            ...{ queued: member.queued, sockets: member.sockets, silent: isSilent },
          })) ?? null,
        simulated: feeds.some(({ source }) => source === 'simulated'),
        at: new Date(clock.now()).toISOString(),
      };
    },
  };
}
