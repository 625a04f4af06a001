/** What traders chose for their screens: own rows, one object per group, bounded. */
import { texts } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { server, shareRestServer } from './rest-server.ts';

shareRestServer();

const save = (user: 'alice' | 'bob', key: 'layout' | 'watchlists', value: Record<string, number | []>) =>
  server.as(user).from('user_settings').upsert({ key, value }, { onConflict: 'user_id,key' });
const read = async (user: 'alice' | 'bob') => {
  const { data } = await server
    .as(user)
    .from('user_settings')
    .select('key,value')
    .order('key')
    .throwOnError();
  return data;
};

test('settings: a group is stored and replaced, and follows its own user alone', async () => {
  expect((await save('alice', 'layout', { positionsHeight: 200 })).error).toBeNull();
  expect((await save('alice', 'watchlists', { lists: [] })).error).toBeNull();
  expect((await save('alice', 'layout', { positionsHeight: 240 })).error).toBeNull();
  expect((await save('bob', 'layout', { positionsHeight: 180 })).error).toBeNull();
  expect(await read('alice')).toEqual([
    { key: 'layout', value: { positionsHeight: 240 } },
    { key: 'watchlists', value: { lists: [] } },
  ]);
  expect(await read('bob')).toEqual([{ key: 'layout', value: { positionsHeight: 180 } }]);
});

test('settings: a later write has a later date', async () => {
  const date = async () => {
    const rows = server.as('bob').from('user_settings').select('updated_at').eq('key', 'layout').single();
    return (await rows.throwOnError()).data.updated_at;
  };
  await save('bob', 'layout', { positionsHeight: 181 }).throwOnError();
  const before = await date();
  await save('bob', 'layout', { positionsHeight: 182 }).throwOnError();
  expect(Date.parse(await date())).toBeGreaterThanOrEqual(Date.parse(before));
  expect(await date()).not.toBe(before);
});

test('settings: an unknown group, a value that is no object and one that is too large are refused', async () => {
  const bob = server.as('bob');
  const secrets = JSON.stringify({ key: 'secrets', value: {} });
  expect((await server.fetch('user_settings', { method: 'POST', body: secrets }, 'bob')).status).toBe(400);
  const list = await bob.from('user_settings').upsert({ key: 'layout', value: [1] });
  expect(list.error).toMatchObject({ code: '23514' });
  // 32 kB of UTF-8 in fewer characters than the table API takes of a JSON value.
  const large = await bob
    .from('user_settings')
    .upsert({ key: 'layout', value: { text: '€'.repeat(12_000) } });
  expect(large.error).toMatchObject({ code: '23514', message: texts.settingsTooLarge });
  expect(await read('bob')).toEqual([{ key: 'layout', value: { positionsHeight: 182 } }]);
});
