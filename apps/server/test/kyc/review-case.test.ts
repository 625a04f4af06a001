/** What a reviewer sees of identity checks, with the official client: lists, cases, pictures, duplicates. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { server, shareUserServer, type TestUser } from '../identity/user-server.ts';
import { documents, fields, number, of, pending, picture, rejected, review, submit } from './cases.ts';

let ada: TestUser;
let ben: TestUser;
shareUserServer();
beforeAll(async () => {
  [ada, ben] = await Promise.all([server.addUser('admin'), server.addUser('admin')]);
});

describe('what a reviewer sees', () => {
  test('CALL-60, KYC-22, KYC-23: the list of a status, newest first, with username and email', async () => {
    const [older, newer] = [await pending(server), await pending(server)];
    const { data } = await of(ada)
      .from('kyc_verifications')
      .select('*, user:users!user_id(username, email)')
      .eq('status', 'pending')
      .order('submitted_at', { ascending: false })
      .throwOnError();
    const ids = data.map(({ id }) => id);
    expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
    expect(data.find(({ id }) => id === older.id)).toMatchObject({
      private_note: null,
      user: { username: older.trader.username, email: older.trader.email },
    });
    // The pending record of a user is readable by that user (KYC-25, CALL-59).
    const own = await of(older.trader)
      .from('kyc_verifications')
      .select('id')
      .eq('status', 'pending')
      .throwOnError();
    expect(own.data).toEqual([{ id: older.id }]);
  });

  test('a case: fields, user, attempts, its own pictures, and the next in the list’s order', async () => {
    const [next, { trader, id }] = [await pending(server), await pending(server)];
    const { data: opened } = await of(ada).rpc('open_kyc_case', { p_id: id }).throwOnError();
    expect(opened).toMatchObject({
      verification: { ...fields, id, attempt: 1, status: 'pending' },
      user: { id: trader.id, username: trader.username, email: trader.email, kyc_status: 'pending' },
      reviewer_name: null,
      attempts: [{ id, attempt: 1, status: 'pending', reviewed_at: null }],
      duplicates: [],
      next_id: next.id,
      may_review: true,
    });
    expect(opened.pictures.map(({ document }) => document)).toEqual([...documents]);
    expect(opened.waiting).toBeGreaterThanOrEqual(2);
    await review(ada, id, rejected).throwOnError();
    const before = await Promise.all(opened.pictures.map(({ url }) => bytesOf(ada, url)));
    await submit(server, trader, number());
    const { data: decided } = await of(ben).rpc('open_kyc_case', { p_id: id }).throwOnError();
    expect(decided).toMatchObject({
      reviewer_name: ada.username,
      attempts: [{ attempt: 2 }, { attempt: 1 }],
    });
    // A57: the pictures of the attempt, not the newest of the path.
    expect(await Promise.all(decided.pictures.map(({ url }) => bytesOf(ben, url)))).toEqual(before);
  });

  test('A60: a link is valid for a minute, in the session of the request, and each view is recorded', async () => {
    const { trader, id } = await pending(server);
    const { data: opened } = await of(ada).rpc('open_kyc_case', { p_id: id }).throwOnError();
    const { url, expires_at } = opened.pictures[0]!;
    expect(Date.parse(expires_at) - server.clock.now()).toBeLessThanOrEqual(60_000);
    const views = (await server.audit(trader.id)).filter(({ detail }) => detail.how === 'link made');
    expect(views.map(({ actor_id }) => actor_id)).toEqual([ada.id, ada.id, ada.id]);
    const tokenOf = async (user: TestUser) =>
      (await user.client.auth.getSession()).data.session!.access_token;
    const as = async (user: TestUser) =>
      (
        await fetch(server.url + url, {
          headers: { authorization: `Bearer ${await tokenOf(user)}`, apikey: server.anonKey },
        })
      ).status;
    expect(await as(ada)).toBe(200);
    expect(await as(ben)).toBe(404);
    expect(await as(trader)).toBe(404);
    // Forged, or without a sign-in.
    for (const link of [`${url}x`, url]) expect((await fetch(server.url + link)).status).toBe(404);
    // Without a link at all.
    expect((await fetch(`${server.url}/storage/v1/object/kyc-documents/${trader.id}/selfie.jpg`)).ok).toBe(
      false,
    );
    server.clock.advance(60_001);
    expect(await as(ada)).toBe(404);
  });

  test('duplicates: the same number with any spacing, and the same picture in any place, of other users only', async () => {
    const [one, two, three] = await Promise.all(
      ['trader', 'trader', 'trader'].map(() => server.addUser('trader')),
    );
    const shared = await picture();
    const key = number();
    const first = await submit(server, one!, `ab ${key}`, [await picture(), shared, await picture()]);
    const second = await submit(server, two!, `AB-${key}`);
    const third = await submit(server, three!, number(), [shared, await picture(), await picture()]);
    const duplicatesOf = async (id: string) =>
      (await of(ada).rpc('open_kyc_case', { p_id: id }).throwOnError()).data.duplicates.map(
        ({ verification_id, username, same }) => ({ verification_id, username, same }),
      );
    expect(await duplicatesOf(first)).toEqual([
      { verification_id: third, username: three!.username, same: ['document_back'] },
      { verification_id: second, username: two!.username, same: ['document_number'] },
    ]);
    expect(await duplicatesOf(third)).toEqual([
      { verification_id: first, username: one!.username, same: ['document_front'] },
    ]);
    // A second attempt of the same user is no duplicate of the first.
    await review(ada, second, rejected).throwOnError();
    const again = await submit(server, two!, `ab${key}`);
    expect((await duplicatesOf(again)).map(({ username }) => username)).toEqual([one!.username]);
  });

  test('an unknown id is not found', async () => {
    expect(await of(ada).rpc('open_kyc_case', { p_id: randomUUID() })).toMatchObject({ status: 404 });
    expect(await review(ada, randomUUID())).toMatchObject({ status: 404 });
  });
});

async function bytesOf(viewer: TestUser, url: string): Promise<string> {
  const { data } = await viewer.client.auth.getSession();
  const headers = { authorization: `Bearer ${data.session!.access_token}`, apikey: server.anonKey };
  const answer = await fetch(server.url + url, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer()).toString('base64');
}
