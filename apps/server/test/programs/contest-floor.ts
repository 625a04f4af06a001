/** A trading server whose clock the test moves, and what tests do with contests on it. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { dayMs, hourMs } from '@fulcrum/domain';
import { refreshed } from '../identity/user-server.ts';
import { startTradingServer, type TestUser } from '../trading/trading-server.ts';

type Functions = Database['public']['Functions'];
export type Contest = Functions['list_contests']['Returns'][number];
export type Ranking = Functions['get_contest_ranking']['Returns'];
export type Result = Functions['get_contest_result']['Returns'];

export const rules = {
  ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
  ...{ score: 'return', tieBreaks: ['drawdown', 'trades', 'entry'], tradesMin: 0, names: 'shown' },
} as const;

export type ContestFloor = Awaited<ReturnType<typeof startContestFloor>>;

export async function startContestFloor(
  config: Parameters<typeof startTradingServer>[0] = {},
  options: Parameters<typeof startTradingServer>[1] = {},
) {
  const floor = await startTradingServer({ allowReset: true, ...config }, options);

  const iso = (fromNow: number) => new Date(floor.clock.now() + fromNow).toISOString();
  const terms = (more: Record<string, unknown> = {}, ruled: Record<string, unknown> = {}) => ({
    ...{ p_name: `Contest ${randomUUID().slice(0, 8)}`, p_description: 'A fair one', p_class_id: null },
    ...{ p_registration_opens_at: iso(-hourMs), p_registration_ends_at: iso(hourMs) },
    ...{ p_begins_at: iso(0), p_ends_at: iso(dayMs), p_rules: { ...rules, ...ruled } },
    ...more,
  });
  const save = async (
    more: Record<string, unknown> = {},
    ruled: Record<string, unknown> = {},
    by: TestUser = floor.admin,
  ): Promise<Contest> => (await by.client.rpc('save_contest', terms(more, ruled)).throwOnError()).data;

  const enter = async (contest: Pick<Contest, 'id'>, by: TestUser): Promise<Contest> =>
    (await by.client.rpc('enter_contest', { p_contest_id: contest.id }).throwOnError()).data;

  const clientIn = (by: TestUser, accountId: string) => floor.clientIn(by.client, accountId);

  /** A new trader in the contest, with a client of the account. */
  async function entrant(contest: Pick<Contest, 'id'>) {
    const trader = await floor.addUser('trader');
    const { account_id } = await enter(contest, trader);
    const accountId = account_id ?? '';
    return { trader, accountId, client: await clientIn(trader, accountId) };
  }

  const rankingFor = async (by: TestUser, contest: Pick<Contest, 'id'>): Promise<Ranking> =>
    (await by.client.rpc('get_contest_ranking', { p_contest_id: contest.id }).throwOnError()).data;
  const resultFor = async (by: TestUser, contest: Pick<Contest, 'id'>): Promise<Result> =>
    (
      await by.client
        .rpc('get_contest_result', { p_contest_id: contest.id, p_with_document: true })
        .throwOnError()
    ).data;

  /** Moves the time to the end of the contest, and signs in again those whose session is over by then. */
  async function passEnd(contest: Pick<Contest, 'ends_at'>, ...users: readonly TestUser[]): Promise<void> {
    floor.clock.set(Date.parse(contest.ends_at));
    for (const { client } of [floor.admin, ...users]) await refreshed(client);
  }

  const isFrozen = async (contest: Pick<Contest, 'id'>): Promise<boolean> => {
    const { rows } = await floor.db.query<{ isFrozen: boolean }>(
      'select frozen_at is not null as "isFrozen" from app.programs where id = $1',
      [contest.id],
    );
    return rows[0]?.isFrozen ?? false;
  };

  return { floor, iso, terms, save, enter, entrant, clientIn, rankingFor, resultFor, passEnd, isFrozen };
}
