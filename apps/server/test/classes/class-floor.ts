/** A trading server with a tutor, and what tests do with classes on it. */
import { randomUUID } from 'node:crypto';
import { dayMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { startTradingServer, type TestUser } from '../trading/trading-server.ts';

export interface SavedClass {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly members: number;
}

export interface MemberOutcome {
  readonly user_id: string;
  readonly outcome: string;
  readonly message: string | null;
}

export type ClassFloor = Awaited<ReturnType<typeof startClassFloor>>;

export async function startClassFloor() {
  const floor = await startTradingServer({ allowReset: true });
  const tutor = await floor.addUser('manager');

  const iso = (fromNow: number) => new Date(floor.clock.now() + fromNow).toISOString();
  const terms = (more: Record<string, unknown> = {}) => ({
    ...{ p_name: `Class ${randomUUID().slice(0, 8)}`, p_begins_at: iso(-dayMs), p_ends_at: iso(dayMs) },
    ...{ p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10, p_symbols: null },
    ...{ p_positions_max: null, p_tutor_ids: [tutor.id] },
    ...more,
  });
  const save = async (more: Record<string, unknown> = {}): Promise<SavedClass> =>
    (await floor.admin.client.rpc('save_class', terms(more)).throwOnError()).data;

  async function add(classId: string, ...users: readonly Pick<TestUser, 'id'>[]): Promise<MemberOutcome[]> {
    const { data } = await floor.admin.client
      .rpc('add_class_members', { p_class_id: classId, p_user_ids: users.map(({ id }) => id) })
      .throwOnError();
    return data.rows;
  }

  async function accountIn(classId: string, userId: string): Promise<string> {
    const { rows } = await floor.db.query<{ id: string }>(
      'select id from app.trading_accounts where class_id = $1 and owner_id = $2',
      [classId, userId],
    );
    return rows[0]?.id ?? '';
  }

  /** A client of the user in the account of the class. */
  async function inClass(classId: string, user: Pick<TestUser, 'id' | 'client'>): Promise<SupabaseClient> {
    return floor.clientIn(user.client, await accountIn(classId, user.id));
  }

  return { floor, tutor, iso, terms, save, add, accountIn, inClass };
}
