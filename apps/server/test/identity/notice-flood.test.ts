/** Threat: notices as a weapon: repeated changes of an account must not fill its owner's mailbox. */
import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { server, shareUserServer } from './user-server.ts';

shareUserServer();

test('a user gets ten notices a day; further changes succeed without one', async () => {
  const trader = await server.addUser('trader');
  const notices = async () =>
    (
      await server.db.query(`select from app.mails where recipient = $1 and kind <> 'recovery'`, [
        trader.email,
      ])
    ).rowCount;
  let admin = await server.addUser('admin');
  const change = async (p_new_password: string) => {
    const { error } = await admin.client.rpc('admin_update_user_password', {
      p_user_id: trader.id,
      p_new_password,
    });
    expect(error).toBeNull();
  };
  for (let n = 0; n < 12; n += 1) await change(`horse-number-${n}`);
  expect(await notices()).toBe(10);
  await server.signIn(trader.email, 'horse-number-11');

  // Notices block no recovery mail, nor notices of other users.
  const { error } = await server.client().auth.resetPasswordForEmail(trader.email);
  expect(error).toBeNull();
  const { rows } = await server.db.query(
    `select kind from app.mails where recipient = $1 and kind = 'recovery'`,
    [trader.email],
  );
  expect(rows).toHaveLength(1);

  server.clock.advance(dayMs);
  admin = await server.addUser('admin');
  await change('horse-of-tomorrow');
  expect(await notices()).toBe(11);
});
