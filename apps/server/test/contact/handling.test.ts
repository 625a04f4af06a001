/** What becomes of visitors’ messages, and the answer by mail, with the official client. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { contactStatuses } from '@fulcrum/domain';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readable } from '../auth/mailbox.ts';
import { type ContactServer, forms, reply, setStatus, startContactServer } from './contact-server.ts';

let desk: ContactServer;
beforeAll(async () => {
  desk = await startContactServer();
});
afterAll(() => desk.close());
afterEach(() => {
  desk.mailbox.received.length = 0;
});

describe('CALL-81, A79, ENT-39: what becomes of a message', () => {
  const actionsByStatus: Readonly<Record<string, string>> = {
    read: 'contact_form.read',
    replied: 'contact_form.reply',
    archived: 'contact_form.archive',
  };
  const allowed = ['new read', 'new archived', 'read replied'];
  test.each(contactStatuses.flatMap((from) => contactStatuses.map((to) => [from, to] as const)))(
    '%s to %s',
    async (from, to) => {
      const before = await desk.message(from);
      const { data, error, status } = await setStatus(desk.admin, before.id, to).select();
      if (allowed.includes(`${from} ${to}`)) {
        expect(data).toMatchObject([{ id: before.id, status: to, version: before.version + 1 }]);
        expect((await desk.server.audit(before.id)).at(-1)).toMatchObject({
          actor_id: desk.admin.id,
          action: actionsByStatus[to],
          detail: { from },
        });
        return;
      }
      expect([status, error?.code, error?.message]).toEqual([
        409,
        'conflict',
        `This message is ${from}. It cannot become ${to}.`,
      ]);
      expect(await desk.read(before.id)).toEqual(before);
    },
  );

  test('of two admins the second learns that the other was first', async () => {
    const { id } = await desk.message();
    const answers = await Promise.all([
      setStatus(desk.admin, id, 'archived'),
      setStatus(desk.second, id, 'read'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.error).toMatchObject({
      code: 'changed_meanwhile',
      message: 'Someone else changed this in the meantime.',
    });
  });

  test('several change together or not at all', async () => {
    const [one, other] = [await desk.message(), await desk.message('archived')];
    const { status } = await forms(desk.second).update({ status: 'read' }).in('id', [one.id, other.id]);
    expect(status).toBe(409);
    expect(await desk.read(one.id)).toMatchObject({ status: 'new' });
  });

  test('stores the admin who marked it as replied, without a text', async () => {
    const { id } = await desk.message('read');
    await setStatus(desk.second, id, 'replied').throwOnError();
    expect(await desk.read(id)).toMatchObject({ status: 'replied', reply: null, replied_by: desk.second.id });
  });

  test('CALL-80: newest first, by status', async () => {
    const { data } = await forms(desk.admin)
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
    await desk.server.server.mails.pass();
    await desk.server.server.mails.pass();
    return desk.mailbox.received;
  };

  test('reaches only the visitor as plain text, quotes their message and is stored; the log has none of its text', async () => {
    const row = await desk.message('read', {
      subject: 'RE: A question',
      email: `${randomUUID()}@example.test`,
    });
    const { data } = await reply(desk.admin, row, ' Under Trading.\r\nGood luck! ').throwOnError();
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
    expect(await desk.read(row.id)).toMatchObject({
      reply: 'Under Trading.\nGood luck!',
      replied_by: desk.admin.id,
    });
    const log = JSON.stringify(await desk.server.audit(row.id));
    expect(log).toContain('by mail');
    expect(log).not.toContain('Good luck');
    expect(log).not.toContain(row.email);
  });

  test('of a new message moves it through read in one step', async () => {
    const row = await desk.message();
    await reply(desk.admin, row, 'Yes.').throwOnError();
    expect((await desk.server.audit(row.id)).map(({ action }) => action)).toEqual([
      'contact_form.read',
      'contact_form.reply',
    ]);
    expect(await desk.read(row.id)).toMatchObject({ status: 'replied', version: 3 });
    expect(await sent()).toHaveLength(1);
  });

  test('that is repeated with its client id is sent once', async () => {
    const row = await desk.message();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => reply(desk.admin, row, 'Yes.', 'once')),
    );
    expect(answers.map(({ data }) => data)).toEqual(
      Array(4).fill({ id: row.id, status: 'replied', version: 3 }),
    );
    expect(await sent()).toHaveLength(1);
  });

  test('of a second admin is refused, and so is one to a message that accepts none', async () => {
    const row = await desk.message();
    await reply(desk.admin, row, 'Yes.').throwOnError();
    expect((await reply(desk.second, row, 'No.')).error).toMatchObject({
      code: 'changed_meanwhile',
      message: texts.changedMeanwhile,
    });
    const archived = await desk.message('archived');
    expect(await reply(desk.admin, archived, 'Yes.')).toMatchObject({
      status: 409,
      error: { message: 'This message is archived. It cannot become replied.' },
    });
    expect((await reply(desk.admin, await desk.message(), ' \u200b ')).error).toMatchObject({
      message: 'Reply is required',
    });
    const trader = await desk.server.addUser('trader');
    expect((await reply(trader, await desk.message(), 'Yes.')).error).not.toBeNull();
    expect(await sent()).toHaveLength(1);
  });

  test.each(['Hello\r\nBcc: all@example.test', 'Hello\nX-Spam: no', 'Hello\u0085Bcc: all@example.test'])(
    'adds no header whatever the subject is: %j',
    async (subject) => {
      const row = await desk.message('new', { subject });
      await reply(desk.admin, row, 'Bcc: all@example.test\r\n\r\nYes.').throwOnError();
      const [mail] = await sent();
      const [head = ''] = mail!.raw.split('\r\n\r\n');
      expect(mail!.to).toBe(row.email);
      expect(head).not.toMatch(/^(Bcc|X-Spam):/im);
    },
  );

  test('without a mail server the refusal states what to do, and nothing changes', async () => {
    const row = await desk.message();
    await desk.server.restart({ smtp: null });
    try {
      expect(await reply(desk.admin, row, 'Yes.')).toMatchObject({
        status: 409,
        error: { message: texts.contactNoMail },
      });
      expect(await desk.read(row.id)).toEqual(row);
    } finally {
      await desk.server.restart();
    }
  });
});
