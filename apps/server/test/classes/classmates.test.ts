/** What members of a class see of each other (A112). */
import { randomUUID } from 'node:crypto';
import { AppError } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClassmates } from '../../src/features/classes/classmates.ts';
import type { TestUser } from '../trading/trading-server.ts';
import { type ClassFloor, startClassFloor } from './class-floor.ts';

let school: ClassFloor;
let floor: ClassFloor['floor'];
beforeAll(async () => {
  school = await startClassFloor();
  floor = school.floor;
});
afterAll(() => floor.close());

test('members see names and returns where the class lets them, and nothing by default', async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  const [ann, ben, cem] = [
    await floor.addUser('trader'),
    await floor.addUser('trader'),
    await floor.addUser('trader'),
  ];
  const [open, closed] = [await school.save({ p_members_see_each_other: true }), await school.save()];
  await school.add(open.id, ann, ben, cem);
  await school.add(closed.id, ann, ben);
  await floor.admin.client
    .rpc('adjust_funds_of_users', {
      ...{ p_user_ids: [ben.id], p_class_id: open.id, p_change: 'add', p_amount: 500, p_reason: 'A test' },
    })
    .throwOnError();
  // What was paid in is no return: of 5,500 it loses 55.
  const trades = await school.inClass(open.id, ben);
  floor.clock.advance(1_000);
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 11, p_leverage: 10 };
  const { data: position } = await trades.rpc('open_position', order).throwOnError();
  floor.feed.setPrice('BTCUSDT', '95');
  await trades.rpc('close_position', { p_position_id: position.id }).throwOnError();
  const inOpen = await school.inClass(open.id, ann);
  const { data } = await inOpen.rpc('list_classmates').throwOnError();
  expect(data.class_name).toBe(open.name);
  const rest = [ann, cem]
    .toSorted((a, b) => a.username.localeCompare(b.username))
    .map(({ username }) => ({ username, return_pct: 0, is_self: username === ann.username }));
  expect(data.members).toEqual([...rest, { username: ben.username, return_pct: -1, is_self: false }]);

  expect(data).toMatchObject({ total: 3, own: { username: ann.username, return_pct: 0, is_self: true } });
  const page = await inOpen.rpc('list_classmates', { p_offset: 2, p_limit: 1 }).throwOnError();
  expect(page.data).toEqual({ ...data, members: [data.members[2]] });

  const inClosed = await school.inClass(closed.id, ann);
  expect((await inClosed.rpc('list_classmates').throwOnError()).data).toBeNull();
  expect((await ann.client.rpc('list_classmates').throwOnError()).data).toBeNull();
  expect((await school.tutor.client.rpc('list_classmates')).status).toBe(403);

  // A former member sees nothing any more, nor does any member after the setting is off.
  const inCem = await school.inClass(open.id, cem);
  await floor.admin.client
    .rpc('remove_class_members', { p_class_id: open.id, p_user_ids: [cem.id] })
    .throwOnError();
  expect((await inCem.rpc('list_classmates')).data).toBeNull();
  const terms = { ...school.terms({ p_name: open.name }), p_id: open.id, p_version: open.version };
  await floor.admin.client.rpc('save_class', { ...terms, p_members_see_each_other: false }).throwOnError();
  expect((await inOpen.rpc('list_classmates').throwOnError()).data).toBeNull();
});

test('a member whose reads wait in a full queue keeps the list from no other one', async () => {
  const [ann, ben] = [await floor.addUser('trader'), await floor.addUser('trader')];
  const group = await school.save({ p_members_see_each_other: true });
  await school.add(group.id, ann, ben);
  const { rows } = await floor.db.query<{ id: string; ownerId: string }>(
    `select id, owner_id as "ownerId" from app.trading_accounts where class_id = $1`,
    [group.id],
  );
  const { list_classmates } = createClassmates({
    ...{ db: floor.db, clock: floor.clock, market: floor.server.market },
    withReadSlot: async (owner, work) => {
      if (owner === ann.id) throw new AppError('busy', 'Too many reads.');
      return work(() => false);
    },
  });
  const listed = (user: TestUser) => {
    const userId = user.id;
    const accountId = rows.find(({ ownerId }) => ownerId === userId)?.id ?? '';
    const session = { sessionId: randomUUID(), impersonationId: null, role: 'trader' as const };
    return list_classmates({ userId, accountId, actorId: userId, ...session }, {});
  };
  const answers = await Promise.all([listed(ann), listed(ben)]);
  expect(answers).toMatchObject([{ total: 2 }, { total: 2 }]);
});
