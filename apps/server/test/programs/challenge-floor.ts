/** A trading server with challenges, and what tests do in them. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { dayMs, hourMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { refreshed } from '../identity/user-server.ts';
import type { TestUser } from '../trading/trading-server.ts';
import { auditVerdict, type KnownTicks } from './audited-verdict.ts';
import { type ContestFloor, startContestFloor } from './contest-floor.ts';

type Functions = Database['public']['Functions'];
export type Challenge = Functions['list_challenges']['Returns'][number];
export type Attempt = Functions['get_challenge_attempts']['Returns']['attempts'][number];

/** Of the file that runs `shareChallengeFloor`. */
export let school: ContestFloor;
export let floor: ContestFloor['floor'];
export let admin: TestUser;

/** One floor for the tests of a file; before each one BTCUSDT and ETHUSDT are at 100. */
export function shareChallengeFloor(): void {
  beforeAll(async () => {
    school = await startContestFloor();
    floor = school.floor;
    admin = floor.admin;
  });
  afterAll(() => floor.close());
  beforeEach(async () => {
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) floor.feed.setPrice(symbol, '100');
    await refreshed(admin.client);
  });
}

export const step = (more: Record<string, unknown> = {}) => ({
  ...{ targetPct: 8, dailyLoss: null, maxLoss: { pct: 4, mode: 'static', lockPct: null } },
  ...{ consistencyPct: null, daysMin: 0, daysMax: null },
  ...more,
});
export const terms = (steps: readonly object[], more: Record<string, unknown> = {}, ruled: object = {}) => ({
  ...{ p_name: `Challenge ${randomUUID().slice(0, 8)}`, p_description: 'Be careful', p_class_id: null },
  ...{
    p_opens_at: school.iso(-hourMs),
    p_starts_until: school.iso(30 * dayMs),
    p_ends_at: school.iso(60 * dayMs),
  },
  p_rules: {
    ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
    ...{ attemptsMax: 2, steps, ...ruled },
  },
  ...more,
});
export const save = async (
  steps: readonly object[] = [step()],
  more: Record<string, unknown> = {},
  ruled: object = {},
) => (await admin.client.rpc('save_challenge', terms(steps, more, ruled)).throwOnError()).data as Challenge;
export const start = async (by: TestUser, { id }: Pick<Challenge, 'id'>): Promise<Challenge> =>
  (await by.client.rpc('start_challenge', { p_challenge_id: id }).throwOnError()).data;
export const attemptsOf = async (by: TestUser, { id }: Pick<Challenge, 'id'>): Promise<Attempt[]> =>
  (await by.client.rpc('get_challenge_attempts', { p_challenge_id: id }).throwOnError()).data.attempts;

export async function attempt(challenge: Challenge, by?: TestUser) {
  const trader = by ?? (await floor.addUser('trader'));
  const { account_id } = await start(trader, challenge);
  const accountId = account_id ?? '';
  return { trader, accountId, client: await school.clientIn(trader, accountId) };
}
export const buy = async (
  client: SupabaseClient,
  p_size: number,
  p_symbol = 'BTCUSDT',
  more: object = {},
) => {
  const args = { p_symbol, p_side: 'BUY', p_size, p_leverage: 10, ...more };
  const { data } = await client.rpc('open_position', args).throwOnError();
  return data.id as string;
};
export const close = (client: SupabaseClient, p_position_id: string) =>
  client.rpc('close_position', { p_position_id }).throwOnError();
export const price = (of: string, symbol = 'BTCUSDT') => floor.feed.setPrice(symbol, of);
export const verdictOf = async (by: TestUser, challenge: Challenge, stepAt = 0) => {
  const [last] = await attemptsOf(by, challenge);
  return last?.steps[stepAt]?.verdict ?? null;
};
/** The verdict, which the auditor computes again. */
export async function decided(by: TestUser, challenge: Challenge, stepAt = 0, known: KnownTicks = {}) {
  const verdict = await eventually(async () => {
    const found = await verdictOf(by, challenge, stepAt);
    if (!found) throw new Error('not decided');
    return found;
  }, 20);
  const [last] = await attemptsOf(by, challenge);
  await auditVerdict(floor.db, last?.steps[stepAt]?.account_id ?? '', known);
  return verdict;
}
