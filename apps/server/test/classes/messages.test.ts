/** Messages of tutors and admins to the members of a class (A112). */

import { randomUUID } from 'node:crypto';
import { classMailsSetting } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClassMailWriter } from '../../src/features/classes/index.ts';
import type { QueuedMail } from '../../src/platform/mail/queue.ts';
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
    {
      actor_id: school.tutor.id,
      detail: { message_id: data.id, subject: 'Homework', recipients: 2, mailed: 0 },
    },
  ]);
});

test('a member who chose mails gets one, too; who changes their mind or leaves before it is sent gets none', async () => {
  const [ann, ben, cem] = [
    await floor.addUser('trader'),
    await floor.addUser('trader'),
    await floor.addUser('trader'),
  ];
  const made = await school.save();
  await school.add(made.id, ann, ben, cem);
  const choose = (user: TestUser, isOn: boolean) =>
    user.client
      .from('user_settings')
      .upsert({ key: 'mails', value: { [classMailsSetting]: isOn } }, { onConflict: 'user_id,key' })
      .throwOnError();
  for (const user of [ann, ben]) await choose(user, true);
  const { data } = await send(school.tutor, made.id).throwOnError();
  expect(data).toMatchObject({ recipients: 3, mailed: 2 });
  const { rows } = await floor.db.query<QueuedMail & { username: string }>(
    `select m.kind, m.recipient, m.detail, u.username from app.mails m join app.users u on u.email = m.recipient
     where kind = 'class_message' and detail ->> 'message_id' = $1`,
    [data.id],
  );
  expect(rows.map(({ username }) => username).toSorted()).toEqual([ann.username, ben.username].toSorted());

  const write = createClassMailWriter(floor.db, () => 'https://trade.example.org');
  const [mail, other] = [ann, ben].map((user) => rows.find(({ username }) => username === user.username)!);
  expect(await write(mail!)).toEqual({
    to: mail!.recipient,
    subject: `${made.name}: Homework`,
    text: `Read chapter two.\n\nSent to the members of ${made.name}. You get it because mails are switched on in your account settings: https://trade.example.org/profile\n`,
    writtenBy: 'user',
  });
  await choose(ann, false);
  expect(await write(mail!)).toBeNull();
  await floor.admin.client
    .rpc('remove_class_members', { p_class_id: made.id, p_user_ids: [ben.id] })
    .throwOnError();
  expect(await write(other!)).toBeNull();
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
