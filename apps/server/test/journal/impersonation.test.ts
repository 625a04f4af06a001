/** Staff who write in a trader's journal during an impersonation (A45): allowed, and audited with both names. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createPseudonymizer, type Pseudonymize } from '../../src/features/audit/index.ts';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

let trader: TestUser;
let actor: TestUser;
let mark: Pseudonymize;
shareTradingServer();
beforeAll(async () => {
  trader = await floor.addUser('trader');
  mark = await createPseudonymizer(floor.db, trader.id);
  actor = await floor.addUser('admin');
  await actor.client.rpc('impersonate_user', { p_user_id: trader.id, p_reason: 'a lesson' }).throwOnError();
  await actor.client.auth.refreshSession();
});

const actionsOn = async (id: string) =>
  (
    await floor.admin.client
      .from('audit_log')
      .select('action, actor_id, on_behalf_of, subject_id, detail')
      .eq('object_id', id)
      .order('seq')
      .throwOnError()
  ).data ?? [];

const entries = ({ client }: TestUser) => client.from('journal_entries');
const entry = (over = {}) => ({
  id: randomUUID(),
  title: 'Long after the retest',
  content: 'Stop under the low.',
  tags: ['btc', 'swing'],
  created_at: '2026-03-01T08:00:00.000Z',
  ...over,
});

test('A45, X-20: writes, changes and deletions by staff are in the audit log with both names, without the text', async () => {
  const { id, ...written } = entry();
  await entries(actor)
    .insert({ id, ...written })
    .throwOnError();
  const { data } = await entries(actor)
    .update({ title: 'Long too early' })
    .eq('id', id)
    .select()
    .throwOnError();
  expect(data).toMatchObject([{ id, user_id: trader.id, title: 'Long too early' }]);
  expect((await entries(trader).select('title').eq('id', id).throwOnError()).data).toEqual([
    { title: 'Long too early' },
  ]);
  await entries(actor).delete().eq('id', id).throwOnError();
  expect((await entries(trader).select().eq('id', id).throwOnError()).data).toEqual([]);

  const both = { actor_id: actor.id, on_behalf_of: trader.id, subject_id: trader.id };
  const whole = {
    title: mark(written.title),
    content: mark(written.content),
    tags: mark('btc, swing'),
    created_at: '2026-03-01T08:00:00+00:00',
    position_id: null,
  };
  const renamed = { title: mark('Long too early') };
  expect(await actionsOn(id)).toEqual([
    { ...both, action: 'journal_entries.insert', detail: { after: whole } },
    {
      ...both,
      action: 'journal_entries.update',
      detail: { before: { title: whole.title }, after: renamed },
    },
    { ...both, action: 'journal_entries.delete', detail: { before: { ...whole, ...renamed } } },
  ]);
  const { rows } = await floor.db.query('select detail from app.audit_log where object_id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(written.content);
});

test('A45: an upsert that finds its row is audited as an update', async () => {
  const [known, fresh] = [entry(), entry({ title: 'Another' })];
  await entries(trader).insert(known).throwOnError();
  await entries(actor)
    .upsert([{ ...known, tags: [] }, fresh])
    .throwOnError();
  expect(await actionsOn(known.id)).toMatchObject([
    {
      action: 'journal_entries.update',
      detail: { before: { tags: mark('btc, swing') }, after: { tags: null } },
    },
  ]);
  expect(await actionsOn(fresh.id)).toMatchObject([
    { action: 'journal_entries.insert', detail: { after: { title: mark('Another') } } },
  ]);
});

test('A45: a refusal is not audited, and neither are the trader’s own writes', async () => {
  const own = entry();
  await entries(trader).insert(own).throwOnError();
  await entries(trader).update({ title: 'Mine' }).eq('id', own.id).throwOnError();
  expect(await entries(actor).update({ title: ' ' }).eq('id', own.id)).toMatchObject({ status: 400 });
  expect(await entries(actor).insert(own)).toMatchObject({ status: 409 });
  const none = await entries(actor).update({ title: 'Late' }).eq('id', own.id).eq('title', 'gone').select();
  expect(none.data).toEqual([]);
  expect(await actionsOn(own.id)).toEqual([]);
});
