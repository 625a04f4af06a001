/** Messages of visitors as they come in, with the official client. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { hourMs } from '@fulcrum/domain';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitsWith } from '../../src/platform/limits/index.ts';
import { startUserServer } from '../identity/user-server.ts';
import { subscribed, until } from '../realtime/realtime-server.ts';
import {
  type ContactServer,
  forms,
  type Row,
  setStatus,
  startContactServer,
  whole,
} from './contact-server.ts';

let desk: ContactServer;
beforeAll(async () => {
  desk = await startContactServer();
});
afterAll(() => desk.close());

describe('a message', () => {
  test('CALL-82, CONT-04, CONT-10, CONT-11: from a visitor without a session; stored as new, empty response', async () => {
    const answer = await desk
      .visitor()
      .from('contact_forms')
      .insert({ ...whole, name: '  Zoe\r\nMartin ', email: ' ZOE@example.test ' });
    expect(answer).toMatchObject({ status: 201, data: null, error: null });
    const [stored] = await desk.all();
    expect(stored).toMatchObject({ ...whole, version: 1, reply: null, replied_by: null, user_id: null });
    expect(Date.parse(stored!.created_at)).toBe(desk.server.clock.now());
  });

  test('CONT-04: from a signed-in user, whose account is found by the same email', async () => {
    const trader = await desk.server.addUser('trader');
    const { status } = await (trader.client as SupabaseClient<Database>)
      .from('contact_forms')
      .insert({ ...whole, email: trader.email.toUpperCase() });
    expect(status).toBe(201);
    const { data } = await forms(desk.admin)
      .select('email, user:users(username)')
      .eq('user_id', trader.id)
      .single()
      .throwOnError();
    expect(data).toEqual({ email: trader.email, user: { username: trader.username } });
  });

  test('X-21, A53, A61: only an admin reads it, not even its sender', async () => {
    const count = (await desk.all()).length;
    const sender = desk.visitor();
    expect(await sender.from('contact_forms').insert(whole).select()).toMatchObject({
      status: 401,
      error: { code: '42501' },
    });
    expect(await sender.from('contact_forms').select()).toMatchObject({ status: 401 });
    for (const role of ['trader', 'manager', 'support'] as const) {
      const user = await desk.server.addUser(role);
      expect(await forms(user).select()).toMatchObject({ status: 403, error: { code: '42501' } });
      expect(await forms(user).insert(whole).select()).toMatchObject({ status: 403 });
      expect(await forms(user).update({ status: 'read' }).eq('status', 'new')).toMatchObject({
        status: 403,
      });
    }
    expect(await desk.all()).toHaveLength(count);
  });

  test.each([
    ['CONT-05, ERR-64', 'name', 'Name is required'],
    ['CONT-06', 'email', 'Valid email is required'],
    ['CONT-07, ERR-64', 'subject', 'Subject is required'],
    ['CONT-08, ERR-64', 'message', 'Message is required'],
  ] as const)('%s: without a readable %s: %s', async (_ids, field, text) => {
    const from = desk.visitor();
    const { [field]: _left, ...rest } = whole;
    for (const row of [rest, { ...whole, [field]: ' ' }, { ...whole, [field]: '\u200b' }]) {
      expect(await from.from('contact_forms').insert(row as typeof whole)).toMatchObject({
        status: 400,
        error: { code: 'invalid_argument', message: text },
      });
    }
  });

  test('ENT-38: its lengths, its status and its columns are limited', async () => {
    const from = desk.visitor();
    const refused = async (row: object) =>
      (await from.from('contact_forms').insert(row as typeof whole)).status;
    expect(await refused({ ...whole, name: 'x'.repeat(101) })).toBe(400);
    expect(await refused({ ...whole, email: `${'x'.repeat(250)}@example.test` })).toBe(400);
    expect(await refused({ ...whole, subject: 'x'.repeat(201) })).toBe(400);
    expect(await refused({ ...whole, message: 'x'.repeat(5001) })).toBe(400);
    expect(await refused({ ...whole, status: 'replied' })).toBe(400);
    expect(await refused({ ...whole, reply: 'Yes' })).toBe(401);
    expect(await refused({ ...whole, created_at: '2020-01-01T00:00:00Z' })).toBe(401);
    const two = await from.from('contact_forms').insert([whole, whole]);
    expect(two.status).toBe(400);
    const most = { ...whole, name: 'x'.repeat(100), subject: 'x'.repeat(200), message: 'x'.repeat(5000) };
    expect(await refused(most)).toBe(201);
  });

  test('a message with the hidden field filled gets the same response and is dropped', async () => {
    const count = (await desk.all()).length;
    const answers = await Promise.all(
      ['https://spam.test', ''].map((website) =>
        desk
          .visitor()
          .from('contact_forms')
          .insert({ ...whole, website }, { count: 'exact' }),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(201);
    expect(await desk.all()).toHaveLength(count + 1);
  });

  test('sent again with its client_id it is the same one, also at once; another one with that id is refused', async () => {
    const from = desk.visitor();
    const client_id = randomUUID();
    const count = (await desk.all()).length;
    const send = (over: object = {}) => from.from('contact_forms').insert({ ...whole, client_id, ...over });
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await send()).status));
    expect(statuses).toEqual([201, 201, 201, 201]);
    for (let i = 0; i < 6; i += 1) expect((await send()).status).toBe(201);
    expect(await desk.all()).toHaveLength(count + 1);
    expect(await send({ message: 'Something else' })).toMatchObject({
      status: 409,
      error: { code: 'idempotency_conflict' },
    });
    // Once, whatever it took: four more are left of the hour.
    for (let i = 0; i < 4; i += 1) {
      expect((await from.from('contact_forms').insert(whole)).status).toBe(201);
    }
    expect((await from.from('contact_forms').insert(whole)).status).toBe(429);
  });

  test('with CONTACT_PER_ADDRESS_H=5: 5 an hour and 50 a day from one address; a wrong one does not count', async () => {
    const ofItsOwn = await startUserServer({
      config: { trustProxy: true, limits: limitsWith({ CONTACT_PER_ADDRESS_H: 5 }) },
    });
    try {
      const visitorAt = (address: string) =>
        createClient<Database>(ofItsOwn.url, ofItsOwn.anonKey, {
          auth: { persistSession: false, storageKey: address },
          global: { headers: { 'x-forwarded-for': address } },
        });
      const from = visitorAt('192.0.2.7');
      const send = async () => (await from.from('contact_forms').insert(whole)).status;
      await from.from('contact_forms').insert({ ...whole, name: '' });
      for (let hours = 0; hours < 10; hours += 1) {
        const answers = await Promise.all(Array.from({ length: 6 }, send));
        expect(answers.toSorted()).toEqual([201, 201, 201, 201, 201, 429]);
        ofItsOwn.clock.advance(hourMs);
      }
      expect(await from.from('contact_forms').insert(whole)).toMatchObject({
        status: 429,
        error: {
          code: 'too_many_attempts',
          message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ seconds\.$/),
        },
      });
      expect((await visitorAt('192.0.2.8').from('contact_forms').insert(whole)).status).toBe(201);
    } finally {
      await ofItsOwn.close();
    }
  });

  test('a signed-in user is counted from any address', async () => {
    const trader = await desk.server.addUser('trader');
    const { data } = await trader.client.auth.getSession();
    const authorization = `Bearer ${data.session!.access_token}`;
    const send = () =>
      fetch(`${desk.server.url}/rest/v1/contact_forms`, {
        method: 'POST',
        headers: {
          apikey: desk.server.anonKey,
          authorization,
          'content-type': 'application/json',
          'x-forwarded-for': desk.nextAddress(),
        },
        body: JSON.stringify(whole),
      });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await send()).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  test('OPS-D3, A118: visitors of an address use up its messages, and a signed-in user behind it can still write', async () => {
    const building = desk.nextAddress();
    const visitor = desk.visitor(building);
    for (let i = 0; i < 5; i += 1) {
      expect((await visitor.from('contact_forms').insert(whole)).status).toBe(201);
    }
    expect((await visitor.from('contact_forms').insert(whole)).status).toBe(429);
    for (const student of [await desk.server.addUser('trader'), await desk.server.addUser('trader')]) {
      const { data } = await student.client.auth.getSession();
      const sent = await fetch(`${desk.server.url}/rest/v1/contact_forms`, {
        method: 'POST',
        headers: {
          apikey: desk.server.anonKey,
          authorization: `Bearer ${data.session!.access_token}`,
          'content-type': 'application/json',
          'x-forwarded-for': building,
        },
        body: JSON.stringify(whole),
      });
      expect(sent.status).toBe(201);
    }
    const { rows } = await desk.server.db.query(`select attempts from app.attempt_limits where key = $1`, [
      `contact:address:${building}`,
    ]);
    expect(rows, 'those who are signed in take nothing of the visitors’').toEqual([{ attempts: 6 }]);
  });

  test('A45: cannot be written during an impersonation', async () => {
    const [staff, trader] = await Promise.all([desk.server.addUser('admin'), desk.server.addUser('trader')]);
    await desk.server.impersonate(staff, trader);
    expect(await forms(staff).insert(whole)).toMatchObject({
      status: 403,
      error: { message: texts.notWhileImpersonating },
    });
  });

  test('is announced to admins at once', async () => {
    const received: unknown[] = [];
    await (desk.admin.client as SupabaseClient).realtime.setAuth();
    const channel = desk.admin.client
      .channel(`user:${desk.admin.id}`, { config: { private: true } })
      .on('postgres_changes', { event: '*', schema: 'public', table: 'contact_forms' }, (change) => {
        received.push([change.eventType, (change.new as Row).subject, (change.new as Row).status]);
      });
    expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
    const { id } = await desk.message('new', { subject: 'Announced' });
    await setStatus(desk.admin, id, 'read').throwOnError();
    await until(() => received.length >= 2);
    expect(received).toEqual([
      ['INSERT', 'Announced', 'new'],
      ['UPDATE', 'Announced', 'read'],
    ]);
    await desk.admin.client.removeChannel(channel);
  });
});
