/** Messages of tutors and admins to the members of a class (A112). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../trading/trading-server.ts';
import { type ClassFloor, startClassFloor } from './class-floor.ts';

let school: ClassFloor;
let floor: ClassFloor['floor'];
beforeAll(async () => {
  school = await startClassFloor();
  floor = school.floor;
});
afterAll(() => floor.close());

const send = (by: TestUser, p_class_id: string, more: Record<string, unknown> = {}) =>
  by.client.rpc('message_class', {
    ...{ p_class_id, p_subject: 'Homework', p_text: 'Read chapter two.', p_client_id: randomUUID(), ...more },
  });
const notices = async (user: TestUser) =>
  (await user.client.from('notifications').select('message').eq('kind', 'class_message').throwOnError()).data;

test('each member is notified once, a former one is not, and the message is in the audit log', async () => {
  const [ann, ben, cem] = [
    await floor.addUser('trader'),
    await floor.addUser('trader'),
    await floor.addUser('trader'),
  ];
  const made = await school.save();
  await school.add(made.id, ann, ben, cem);
  await floor.admin.client
    .rpc('remove_class_members', { p_class_id: made.id, p_user_ids: [cem.id] })
    .throwOnError();
  const p_client_id = randomUUID();
  const { data } = await send(school.tutor, made.id, { p_client_id }).throwOnError();
  expect(data).toMatchObject({ recipients: 2 });
  expect((await send(school.tutor, made.id, { p_client_id }).throwOnError()).data).toEqual(data);
  for (const member of [ann, ben]) {
    expect(await notices(member)).toEqual([{ message: `${made.name}: Homework\nRead chapter two.` }]);
  }
  expect(await notices(cem)).toEqual([]);
  const { error } = await send(school.tutor, made.id, { p_client_id, p_text: 'Another text' });
  expect(error?.code).toBe('idempotency_conflict');
  const { rows } = await floor.db.query(
    `select actor_id, detail from app.audit_log where action = 'class.message' and object_id = $1`,
    [made.id],
  );
  expect(rows).toEqual([
    { actor_id: school.tutor.id, detail: { message_id: data.id, subject: 'Homework', recipients: 2 } },
  ]);
});

test('another manager does not find the class, a trader may not, and blank or empty ones are refused', async () => {
  const [ann, other] = [await floor.addUser('trader'), await floor.addUser('manager')];
  const [made, empty] = [await school.save(), await school.save()];
  await school.add(made.id, ann);
  expect((await send(other, made.id)).error?.code).toBe('not_found');
  expect((await send(ann, made.id)).status).toBe(403);
  expect((await send(floor.admin, made.id, { p_text: ' ' })).error?.code).toBe('invalid_argument');
  expect((await send(floor.admin, made.id, { p_subject: 'x'.repeat(101) })).status).toBe(400);
  expect((await send(floor.admin, empty.id)).error).toMatchObject({ message: 'This class has no members.' });
  expect(await notices(ann)).toEqual([]);
});

test('a sender has twenty in an hour; a repeat counts for nothing', async () => {
  const [ann, sender] = [await floor.addUser('trader'), await floor.addUser('manager')];
  const made = await school.save({ p_tutor_ids: [sender.id] });
  await school.add(made.id, ann);
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const p_client_id of ids) await send(sender, made.id, { p_client_id }).throwOnError();
  expect((await send(sender, made.id, { p_client_id: ids[0] })).status).toBe(200);
  expect((await send(sender, made.id)).status).toBe(429);
  expect(await notices(ann)).toHaveLength(20);
});
