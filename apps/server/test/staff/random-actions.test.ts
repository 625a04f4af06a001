/**
 * A thousand random actions of staff, eight at a time, some of which have to be refused. In any order the ledger stays
 * balanced, each accepted action is in the audit log once, no refused one is, and the chain over the log is valid. The seed
 * determines the actions; the interleaving is the machine's.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAuditChain } from '../../src/features/audit/index.ts';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { eventually } from '../harness/eventually.ts';
import { testPassword } from '../harness/index.ts';
import { refreshed } from '../identity/user-server.ts';
import { createRandom } from '../long/trading-stream.ts';
import type { TestUser } from '../trading/trading-server.ts';
import { openStaffServer, type StaffServer } from './staff-server.ts';

const seed = Number(process.env.ACTS_SEED ?? 20_261_122);
const actionsTotal = 1_000;
const atOnce = 8;

let firm: StaffServer;
beforeAll(async () => {
  firm = await openStaffServer();
}, 60_000);
afterAll(() => firm.floor.close());

interface Answer {
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly status: number;
  readonly data: unknown;
}

test(`ADMIN-90, X-20: after ${actionsTotal} random actions of staff every invariant holds and the audit verifies (ACTS_SEED=${seed})`, {
  // A thousand actions, on a machine that other work shares.
  timeout: 400_000,
}, async () => {
  const { floor, admins, managers, agent, visitor, traders, positions, chats, forms, checks } = firm;
  const random = createRandom(seed);
  const below = (end: number) => Math.floor(random() * end);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const often = (share: number) => random() < share;

  /** Rows of the audit log that have to be there, by their action. */
  const due = new Map<string, number>();
  const outcomes = { accepted: 0, refused: 0 };
  const codes = new Map<string, number>();
  const faults: string[] = [];
  /** Notes an answer: accepted with its row, or refused in a way that a client may see. */
  const note = (reported: Answer, action: string | null): boolean => {
    const { error, status } = reported;
    if (!error) {
      outcomes.accepted += 1;
      if (action !== null) due.set(action, (due.get(action) ?? 0) + 1);
      return true;
    }
    outcomes.refused += 1;
    codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    // 503 is "busy": the engine or the database had too much to do at once.
    if (status >= 500 && status !== 503) faults.push(`${action ?? 'action'}: ${status} ${error.message}`);
    return false;
  };
  const call = async (by: TestUser, procedure: string, args: object, action: string | null) =>
    note(await by.client.rpc(procedure, args), action);

  const staff = () => (often(0.6) ? pick(admins) : pick(managers));
  /** Occasionally a user or an object that does not exist. */
  const anyUser = () => (often(0.04) ? randomUUID() : pick(traders).id);
  const reason = () => (often(0.08) ? '  ' : 'A random reason');
  let visiting: Promise<unknown> = Promise.resolve();

  async function visit(target: string, symbolSize: number, kind: number): Promise<void> {
    const begun = await visitor.client.rpc('impersonate_user', {
      p_user_id: target,
      p_reason: 'To see what they see',
    });
    if (!note(begun, 'impersonation.start')) return;
    // Within one instant a session is given so many tokens only.
    floor.clock.advance(2_000);
    await refreshed(visitor.client);
    const open = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: symbolSize, p_leverage: 5 };
    if (kind === 0) await call(visitor, 'open_position', open, 'position.open');
    if (kind === 1) await call(visitor, 'adjust_wallet_balance', { p_user_id: target, p_amount: 5 }, null);
    if (kind === 2) await call(visitor, 'restrict_user', { p_user_id: target, p_restricted: true }, null);
    // Another action deleted or reassigned them meanwhile: then it has ended already.
    note(await visitor.client.rpc('end_impersonation'), null);
    await refreshed(visitor.client);
  }

  const actions: readonly (readonly [weight: number, run: () => Promise<unknown>])[] = [
    [
      26,
      async () => {
        const args = {
          p_user_id: anyUser(),
          p_amount: often(0.1) ? -50_000 : below(2_000) / 8 - 90,
          p_reason: reason(),
          p_client_id: randomUUID(),
        };
        const by = staff();
        const isDone = await call(by, 'adjust_wallet_balance', args, 'funds.adjust');
        // A repeat is answered and does nothing.
        if (isDone && often(0.3)) await call(by, 'adjust_wallet_balance', args, null);
      },
    ],
    [
      26,
      async () => {
        const id = often(0.04) ? randomUUID() : pick(positions);
        const by = staff();
        const [kind, amount, why, isStale] = [below(4), below(40) - 20, reason(), often(0.2)];
        const { data } = await by.client
          .from('positions')
          .select('version, status')
          .eq('id', id)
          .maybeSingle();
        const changes = [
          { leverage: 2 + Math.abs(amount) },
          { entry_price: 100 + amount },
          { size: 0.5 + Math.abs(amount) / 20 },
          data?.status === 'closed' ? { realized_pnl: amount / 4 } : { side: amount > 0 ? 'BUY' : 'SELL' },
        ][kind];
        const edit = { ...changes, reason: why, client_id: randomUUID() };
        const version = data && isStale ? data.version + 1 : data?.version;
        const reported = await by.client
          .from('positions')
          .update({ ...edit, ...(version === undefined ? {} : { version }) })
          .eq('id', id)
          .select('version');
        const { data: written, error } = reported;
        // No row: it is not there for them. One that changes nothing is on record too.
        note(reported, !error && written.length > 0 ? 'position.edit' : null);
      },
    ],
    [
      10,
      async () => {
        const p_restricted = often(0.5);
        const action = p_restricted ? 'account.restrict' : 'account.lift_restriction';
        const by = often(0.9) ? pick(admins) : pick(managers);
        const args = { p_user_id: anyUser(), p_restricted, p_reason: reason() };
        await call(by, 'restrict_user', args, action);
      },
    ],
    [
      8,
      () =>
        call(
          pick(admins),
          'assign_user_to_manager',
          {
            p_user_id: anyUser(),
            p_manager_id: often(0.2) ? null : often(0.1) ? anyUser() : pick(managers).id,
          },
          null,
        ),
    ],
    [
      6,
      () =>
        call(
          pick(admins),
          'safe_update_user_profile',
          {
            user_id: anyUser(),
            ...(often(0.5)
              ? { new_phone_number: `+1202555${1000 + below(9000)}` }
              : { new_username: often(0.2) ? pick(traders).username : `renamed-${below(1e9)}` }),
            ...(often(0.03) && { new_role: 'support' }),
          },
          null,
        ),
    ],
    [
      2,
      () =>
        call(
          pick(admins),
          'admin_update_user_password',
          { p_user_id: anyUser(), p_new_password: often(0.3) ? 'short' : testPassword },
          'user.set_password',
        ),
    ],
    [
      2,
      () => {
        const username = often(0.3) ? pick(traders).username : `made-${below(1e9)}`;
        const args = { p_email: `${username}@example.test`, p_username: username, p_password: testPassword };
        return call(pick(admins), 'admin_create_user', { ...args, p_role: 'trader' }, 'user.create');
      },
    ],
    [
      1,
      () =>
        call(
          pick(admins),
          'delete_user_with_data',
          { p_user_id: anyUser(), p_reason: reason() },
          'account.delete',
        ),
    ],
    [
      6,
      () => {
        const [target, size, kind] = [often(0.1) ? pick(admins).id : anyUser(), 0.1 + random(), below(3)];
        visiting = visiting.then(() => visit(target, size, kind));
        return visiting;
      },
    ],
    [
      3,
      async () => {
        const id = pick(chats);
        const reported = await agent.client
          .from('chat_sessions')
          .update({ status: 'closed' })
          .eq('id', id)
          .select('id');
        note(reported, null);
      },
    ],
    [
      4,
      async () => {
        const [status, action] = pick([
          ['read', 'contact_form.read'],
          ['replied', 'contact_form.reply'],
          ['archived', 'contact_form.archive'],
        ] as const);
        const reported = await pick(admins)
          .client.from('contact_forms')
          .update({ status })
          .eq('id', pick(forms))
          .select('status');
        const [row] = reported.data ?? [];
        note(reported, row ? action : null);
      },
    ],
    [
      2,
      async () => {
        const isApproved = often(0.5);
        await call(
          pick(admins),
          'review_kyc',
          {
            p_id: pick(checks),
            p_decision: isApproved ? 'approved' : 'rejected',
            ...(isApproved ? {} : { p_reasons: ['front_unreadable'] }),
            p_version: 1 + below(2),
          },
          // A repeat by the same reviewer is answered; how many were decided is counted at the end.
          null,
        );
      },
    ],
    [
      2,
      async () => {
        const [by, ids] = [pick(admins), [pick(traders).id, anyUser(), pick(traders).id]];
        if (often(0.5)) {
          const p_manager_id = pick(managers).id;
          await call(by, 'assign_users_to_manager', { p_user_ids: ids, p_manager_id }, null);
        } else {
          const p_restricted = often(0.3);
          const reported = await by.client.rpc('restrict_users', {
            p_user_ids: ids,
            p_restricted,
            p_reason: reason(),
          });
          note(reported, null);
          const report = (reported.data as { rows: { outcome: string }[] } | null)?.rows ?? [];
          const action = p_restricted ? 'account.restrict' : 'account.lift_restriction';
          const restricted = report.filter(({ outcome }) => outcome === 'done').length;
          if (restricted > 0) due.set(action, (due.get(action) ?? 0) + restricted);
        }
      },
    ],
    [
      1,
      () =>
        call(
          pick(admins),
          'shock_price',
          { p_symbol: 'BTCUSDT', p_percent: 5, p_reason: reason() },
          'price.shock',
        ),
    ],
    [
      1,
      () => call(pick(admins), 'accept_price', { p_symbol: 'BTCUSDT', p_reason: reason() }, 'price.accept'),
    ],
  ];
  const whole = actions.reduce((sum, [weight]) => sum + weight, 0);
  const choose = () => {
    let left = random() * whole;
    return actions.find(([weight]) => {
      left -= weight;
      return left < 0;
    })![1];
  };

  let begun = 0;
  const worker = async () => {
    while (begun < actionsTotal) {
      begun += 1;
      // What traders and the market do meanwhile.
      if (begun % 10 === 0) floor.feed.setPrice('BTCUSDT', String(95 + below(1_000) / 100));
      if (begun % 15 === 0) {
        const { data } = await pick(traders).client.rpc('open_position', {
          p_symbol: 'BTCUSDT',
          p_side: pick(['BUY', 'SELL']),
          p_size: 0.2 + random(),
          p_leverage: 10,
        });
        if (data) positions.push((data as { id: string }).id);
      }
      await choose()();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await visiting;
  // The engine cancels orders of former traders, after the action.
  await eventually(async () => {
    const { rows: strayOrders } = await floor.db.query(
      `select o.id from app.orders o join app.users u on u.id = o.user_id where o.status = 'NEW' and u.role <> 'trader'`,
    );
    expect(strayOrders).toEqual([]);
    expect(floor.server.trading.state()).toMatchObject({ queued: 0, staleAccounts: 0 });
  });

  expect(faults).toEqual([]);
  // Both happened often enough to mean something.
  expect(outcomes.accepted).toBeGreaterThan(actionsTotal * 0.4);
  expect(outcomes.refused).toBeGreaterThan(actionsTotal * 0.1);
  expect([...codes.keys()]).toEqual(
    expect.arrayContaining(['reason_required', 'not_found', 'funds_beyond_available']),
  );

  const { rows } = await floor.db.query<{ action: string; entries: number; requests: number }>(
    `select action, count(*)::int as entries, count(distinct request_id)::int as requests from app.audit_log group by 1`,
  );
  const found = new Map(rows.map(({ action, entries: count }) => [action, count]));
  const { rows: decided } = await floor.db.query<{ count: number }>(
    `select count(*)::int as count from app.kyc_verifications where status <> 'pending'
       and exists (select from app.users u where u.id = user_id)`,
  );
  const reviews = (found.get('kyc.approve') ?? 0) + (found.get('kyc.reject') ?? 0);
  expect(reviews).toBeGreaterThanOrEqual(decided[0]?.count ?? 0);
  expect(reviews).toBeLessThanOrEqual(checks.length);
  // Each that began has ended once, whoever ended it.
  expect(found.get('impersonation.end')).toBe(found.get('impersonation.start'));
  const accepted = [...due].map(([action, count]) => ({ action, count }));
  expect(accepted.map(({ action }) => ({ action, count: found.get(action) }))).toEqual(accepted);
  // Each is of a request.
  const { rows: strays } = await floor.db.query(
    `select action from app.audit_log where request_id is null or actor_id is null`,
  );
  expect(strays).toEqual([]);

  const session = new pg.Client({ connectionString: floor.databaseUrl });
  await session.connect();
  try {
    const owner = {
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const answer = await session.query(text, [...values]);
        return { rows: answer.rows as Row[], rowCount: answer.rowCount ?? 0 };
      },
    };
    expect((await checkInvariants(owner)).violations).toEqual([]);
    const verdict = await verifyAuditChain(owner);
    expect(verdict.fault).toBeNull();
    expect(verdict.links).toBe(rows.reduce((sum, { entries: count }) => sum + count, 0));
  } finally {
    await session.end();
  }
  expect(floor.server.trading.state().halted).toBeNull();
  process.stdout.write(
    `${outcomes.accepted} actions accepted, ${outcomes.refused} refused (${[...codes].map(([code, count]) => `${code} ${count}`).join(', ')})\n`,
  );
});
