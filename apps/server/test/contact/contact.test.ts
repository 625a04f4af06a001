/** Messages of visitors from the form to the answer, with the official client. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { contactStatuses } from '@fulcrum/domain';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hour, type PeopleServer, type Person, startPeopleServer } from '../accounts/people.ts';
import { readable, startSmtp } from '../auth/mailbox.ts';
import { subscribed, until } from '../realtime/realtime-server.ts';

let mailbox: Awaited<ReturnType<typeof startSmtp>>;
let server: PeopleServer;
let admin: Person;
let second: Person;
beforeAll(async () => {
  mailbox = await startSmtp();
  server = await startPeopleServer({
    config: {
      trustProxy: true,
      smtp: mailbox.at,
      mailFrom: { name: 'Fulcrum', address: 'no-reply@fulcrum.test' },
      contactEmail: 'team@fulcrum.test',
    },
  });
  [admin, second] = await Promise.all([server.person('admin'), server.person('admin')]);
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
afterEach(() => {
  mailbox.received.length = 0;
});

let addresses = 0;
function nextAddress(): string {
  addresses += 1;
  return `10.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}
/** A visitor at an address of their own, unless one is given. */
function visitor(address = nextAddress()) {
  return createClient<Database>(server.url, server.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: `visitor-${randomUUID()}` },
    global: { headers: { 'x-forwarded-for': address, 'x-application-name': 'fulcrum' } },
  });
}
const whole = {
  name: 'Zoe Martin',
  email: 'zoe@example.test',
  subject: 'A question',
  message: 'How do I begin?\n\nYours, Zoe',
  status: 'new' as const,
};
type Row = Database['public']['Tables']['contact_forms']['Row'];
const forms = (person: Person) => (person.client as SupabaseClient<Database>).from('contact_forms');
const all = async (): Promise<Row[]> =>
  (await forms(admin).select().order('created_at', { ascending: false }).throwOnError()).data;

/** A stored message, taken to `status` along the stated way. */
async function message(status: Row['status'] = 'new', over: Partial<typeof whole> = {}): Promise<Row> {
  const client_id = randomUUID();
  await visitor()
    .from('contact_forms')
    .insert({ ...whole, ...over, client_id })
    .throwOnError();
  const { rows } = await server.db.query<{ id: string }>(
    'select id from app.contact_forms where client_id = $1',
    [client_id],
  );
  const { id } = rows[0]!;
  const way = { new: [], read: ['read'], archived: ['archived'], replied: ['read', 'replied'] } as const;
  for (const next of way[status]) await become(admin, id, next).throwOnError();
  return read(id);
}
const read = async (id: string): Promise<Row> =>
  (await forms(admin).select().eq('id', id).single().throwOnError()).data;
const become = (person: Person, id: string, status: Row['status']) =>
  forms(person).update({ status }).eq('id', id);
const reply = (person: Person, { id, version }: Row, text: string, clientId?: string) =>
  (person.client as SupabaseClient<Database>).rpc('reply_contact_form', {
    p_id: id,
    p_message: text,
    p_version: version,
    ...(clientId === undefined ? {} : { p_client_id: clientId }),
  });

describe('a message', () => {
  test('CALL-82, CONT-04, CONT-10, CONT-11: from somebody without a session; stored as new, nothing answered', async () => {
    const answer = await visitor()
      .from('contact_forms')
      .insert({ ...whole, name: '  Zoe\r\nMartin ', email: ' ZOE@example.test ' });
    expect(answer).toMatchObject({ status: 201, data: null, error: null });
    const [stored] = await all();
    expect(stored).toMatchObject({ ...whole, version: 1, reply: null, replied_by: null, user_id: null });
    expect(Date.parse(stored!.created_at)).toBe(server.clock.now());
  });

  test('CONT-04: from somebody who is signed in, whose account is found by the same email', async () => {
    const trader = await server.person('trader');
    const { status } = await (trader.client as SupabaseClient<Database>)
      .from('contact_forms')
      .insert({ ...whole, email: trader.email.toUpperCase() });
    expect(status).toBe(201);
    const { data } = await forms(admin)
      .select('email, user:users(username)')
      .eq('user_id', trader.id)
      .single()
      .throwOnError();
    expect(data).toEqual({ email: trader.email, user: { username: trader.username } });
  });

  test('A53: is read by nobody but an admin, not even by its sender', async () => {
    const count = (await all()).length;
    const sender = visitor();
    expect(await sender.from('contact_forms').insert(whole).select()).toMatchObject({
      status: 401,
      error: { code: '42501' },
    });
    expect(await sender.from('contact_forms').select()).toMatchObject({ status: 401 });
    for (const role of ['trader', 'manager', 'support'] as const) {
      const person = await server.person(role);
      expect(await forms(person).select()).toMatchObject({ status: 403, error: { code: '42501' } });
      expect(await forms(person).insert(whole).select()).toMatchObject({ status: 403 });
      expect(await forms(person).update({ status: 'read' }).eq('status', 'new')).toMatchObject({
        status: 403,
      });
    }
    expect(await all()).toHaveLength(count);
  });

  test.each([
    ['CONT-05, ERR-64', 'name', 'Name is required'],
    ['CONT-06', 'email', 'Valid email is required'],
    ['CONT-07, ERR-64', 'subject', 'Subject is required'],
    ['CONT-08, ERR-64', 'message', 'Message is required'],
  ] as const)('%s: without a readable %s: %s', async (_ids, field, text) => {
    const from = visitor();
    const { [field]: _left, ...rest } = whole;
    for (const row of [rest, { ...whole, [field]: ' ' }, { ...whole, [field]: '\u200b' }]) {
      expect(await from.from('contact_forms').insert(row as typeof whole)).toMatchObject({
        status: 400,
        error: { code: 'invalid_argument', message: text },
      });
    }
  });

  test('ENT-38: its lengths, its status and its columns are limited', async () => {
    const from = visitor();
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

  test('what fills in the field that nobody sees is answered like the others and leaves nothing', async () => {
    const count = (await all()).length;
    const answers = await Promise.all(
      ['https://spam.test', ''].map((website) =>
        visitor()
          .from('contact_forms')
          .insert({ ...whole, website }, { count: 'exact' }),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(201);
    expect(await all()).toHaveLength(count + 1);
  });

  test('sent again with its client_id it is the same one, also at once; another one with that id is refused', async () => {
    const from = visitor();
    const client_id = randomUUID();
    const count = (await all()).length;
    const send = (over: object = {}) => from.from('contact_forms').insert({ ...whole, client_id, ...over });
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await send()).status));
    expect(statuses).toEqual([201, 201, 201, 201]);
    for (let i = 0; i < 6; i += 1) expect((await send()).status).toBe(201);
    expect(await all()).toHaveLength(count + 1);
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

  test('5 an hour and 50 a day from one address; a wrong one does not count', async () => {
    const ofItsOwn = await startPeopleServer({ config: { trustProxy: true } });
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
        const asked = await Promise.all(Array.from({ length: 6 }, send));
        expect(asked.toSorted()).toEqual([201, 201, 201, 201, 201, 429]);
        ofItsOwn.clock.advance(hour);
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

  test('somebody signed in is counted wherever they write from', async () => {
    const trader = await server.person('trader');
    const { data } = await trader.client.auth.getSession();
    const authorization = `Bearer ${data.session!.access_token}`;
    const send = () =>
      fetch(`${server.url}/rest/v1/contact_forms`, {
        method: 'POST',
        headers: {
          apikey: server.anonKey,
          authorization,
          'content-type': 'application/json',
          'x-forwarded-for': nextAddress(),
        },
        body: JSON.stringify(whole),
      });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await send()).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  test('A45: nobody writes one as somebody else', async () => {
    const [staff, trader] = await Promise.all([server.person('admin'), server.person('trader')]);
    await server.actAs(staff, trader);
    expect(await forms(staff).insert(whole)).toMatchObject({
      status: 403,
      error: { message: texts.notWhileActing },
    });
  });

  test('is announced to admins at once', async () => {
    const heard: unknown[] = [];
    await (admin.client as SupabaseClient).realtime.setAuth();
    const channel = admin.client
      .channel(`user:${admin.id}`, { config: { private: true } })
      .on('postgres_changes', { event: '*', schema: 'public', table: 'contact_forms' }, (change) => {
        heard.push([change.eventType, (change.new as Row).subject, (change.new as Row).status]);
      });
    expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
    const { id } = await message('new', { subject: 'Announced' });
    await become(admin, id, 'read').throwOnError();
    await until(() => heard.length >= 2);
    expect(heard).toEqual([
      ['INSERT', 'Announced', 'new'],
      ['UPDATE', 'Announced', 'read'],
    ]);
    await admin.client.removeChannel(channel);
  });
});

describe('CALL-81, A79, ENT-39: what becomes of a message', () => {
  const allowed = ['new read', 'new archived', 'read replied'];
  test.each(contactStatuses.flatMap((from) => contactStatuses.map((to) => [from, to] as const)))(
    '%s to %s',
    async (from, to) => {
      const before = await message(from);
      const { data, error, status } = await become(admin, before.id, to).select();
      if (allowed.includes(`${from} ${to}`)) {
        expect(data).toMatchObject([{ id: before.id, status: to, version: before.version + 1 }]);
        expect((await server.audit(before.id)).at(-1)).toMatchObject({
          actor_id: admin.id,
          action: `contact_form_${to}`,
          detail: { from },
        });
        return;
      }
      expect([status, error?.code, error?.message]).toEqual([
        409,
        'conflict',
        `This message is ${from}. It cannot become ${to}.`,
      ]);
      expect(await read(before.id)).toEqual(before);
    },
  );

  test('of two admins the second hears that somebody else was quicker', async () => {
    const { id } = await message();
    const answers = await Promise.all([become(admin, id, 'archived'), become(second, id, 'read')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.error).toMatchObject({
      code: 'changed_meanwhile',
      message: 'Someone else changed this in the meantime.',
    });
  });

  test('several change together or not at all', async () => {
    const [one, other] = [await message(), await message('archived')];
    const { status } = await forms(second).update({ status: 'read' }).in('id', [one.id, other.id]);
    expect(status).toBe(409);
    expect(await read(one.id)).toMatchObject({ status: 'new' });
  });

  test('who marked it as replied is kept, without a text', async () => {
    const { id } = await message('read');
    await become(second, id, 'replied').throwOnError();
    expect(await read(id)).toMatchObject({ status: 'replied', reply: null, replied_by: second.id });
  });

  test('CALL-80: newest first, by status', async () => {
    const { data } = await forms(admin)
      .select('status, created_at')
      .eq('status', 'archived')
      .order('created_at', { ascending: false })
      .throwOnError();
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['archived']));
    expect(data.map((row) => row.created_at)).toEqual(
      data
        .map((row) => row.created_at)
        .toSorted()
        .reverse(),
    );
  });
});

describe('an answer by mail', () => {
  const sent = async () => {
    await server.server.mails.pass();
    await server.server.mails.pass();
    return mailbox.received;
  };

  test('goes to the visitor alone as plain text, quotes what they wrote and is kept; the log has no word of it', async () => {
    const row = await message('read', { subject: 'RE: A question', email: `${randomUUID()}@example.test` });
    const { data } = await reply(admin, row, ' Under Trading.\r\nGood luck! ').throwOnError();
    expect(data).toEqual({ id: row.id, status: 'replied', version: row.version + 1 });
    const [mail, ...more] = await sent();
    expect([mail!.to, more]).toEqual([row.email, []]);
    const [head = '', ...body] = mail!.raw.split('\r\n\r\n');
    expect(head).toMatch(/^Subject: Re: A question$/m);
    expect(head).toMatch(/^Reply-To: team@fulcrum\.test$/m);
    expect(head).toMatch(/^Content-Type: text\/plain/m);
    expect(head).not.toMatch(/Auto-Submitted|multipart/);
    expect(readable(body.join('\r\n\r\n')).replaceAll('\r\n', '\n')).toMatch(
      /^Under Trading\.\nGood luck!\n\nOn .+ Zoe Martin wrote:\n> How do I begin\?\n>\n> Yours, Zoe\n/,
    );
    expect(await read(row.id)).toMatchObject({ reply: 'Under Trading.\nGood luck!', replied_by: admin.id });
    const log = JSON.stringify(await server.audit(row.id));
    expect(log).toContain('by mail');
    expect(log).not.toContain('Good luck');
    expect(log).not.toContain(row.email);
  });

  test('of a new message takes it through read, in one go', async () => {
    const row = await message();
    await reply(admin, row, 'Yes.').throwOnError();
    expect((await server.audit(row.id)).map(({ action }) => action)).toEqual([
      'contact_form_read',
      'contact_form_replied',
    ]);
    expect(await read(row.id)).toMatchObject({ status: 'replied', version: 3 });
    expect(await sent()).toHaveLength(1);
  });

  test('that is asked for again with its client id is sent once', async () => {
    const row = await message();
    const answers = await Promise.all(Array.from({ length: 4 }, () => reply(admin, row, 'Yes.', 'once')));
    expect(answers.map(({ data }) => data)).toEqual(
      Array(4).fill({ id: row.id, status: 'replied', version: 3 }),
    );
    expect(await sent()).toHaveLength(1);
  });

  test('of a second admin is refused, and so is one to a message that takes none', async () => {
    const row = await message();
    await reply(admin, row, 'Yes.').throwOnError();
    expect((await reply(second, row, 'No.')).error).toMatchObject({
      code: 'changed_meanwhile',
      message: texts.changedMeanwhile,
    });
    const archived = await message('archived');
    expect(await reply(admin, archived, 'Yes.')).toMatchObject({
      status: 409,
      error: { message: 'This message is archived. It cannot become replied.' },
    });
    expect((await reply(admin, await message(), ' \u200b ')).error).toMatchObject({
      message: 'Reply is required',
    });
    const trader = await server.person('trader');
    expect((await reply(trader, await message(), 'Yes.')).error).not.toBeNull();
    expect(await sent()).toHaveLength(1);
  });

  test.each(['Hello\r\nBcc: all@example.test', 'Hello\nX-Spam: no', 'Hello\u0085Bcc: all@example.test'])(
    'adds no header whatever the subject is: %j',
    async (subject) => {
      const row = await message('new', { subject });
      await reply(admin, row, 'Bcc: all@example.test\r\n\r\nYes.').throwOnError();
      const [mail] = await sent();
      const [head = ''] = mail!.raw.split('\r\n\r\n');
      expect(mail!.to).toBe(row.email);
      expect(head).not.toMatch(/^(Bcc|X-Spam):/im);
    },
  );

  test('where no mail server is set says what to do, and changes nothing', async () => {
    const row = await message();
    await server.restart({ smtp: null });
    try {
      expect(await reply(admin, row, 'Yes.')).toMatchObject({
        status: 409,
        error: { message: texts.contactNoMail },
      });
      expect(await read(row.id)).toEqual(row);
    } finally {
      await server.restart();
    }
  });
});
