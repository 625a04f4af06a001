/** The queue of the review: order, search, filters, claims, least age, and the deletion of pictures by KYC_KEEP_DAYS. */
import { randomUUID } from 'node:crypto';
import { dayMs, minuteMs } from '@fulcrum/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRetention } from '../../src/features/kyc/retention.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import { server, shareUserServer, type TestUser } from '../identity/user-server.ts';
import { number, of, pending, picture, rejected, review, submit, upload } from './cases.ts';

let ada: TestUser;
let ben: TestUser;
shareUserServer();
beforeAll(async () => {
  [ada, ben] = await Promise.all([server.addUser('admin'), server.addUser('admin')]);
});

type ListArgs = Parameters<typeof listed>[0];
async function listed(args: {
  p_status?: 'pending' | 'approved' | 'rejected';
  p_search?: string;
  p_country?: string;
  p_document_type?: 'passport' | 'id_card';
  p_attempt?: 'first' | 'repeated';
  p_oldest_first?: boolean;
  p_after?: { submitted_at: string; id: string };
}) {
  const { data } = await of(ada)
    .rpc('list_kyc_checks', { p_status: 'pending', ...args })
    .throwOnError();
  return data;
}
const idsOf = async (args: ListArgs) => (await listed(args)).checks.map(({ id }) => id);
const claim = (by: TestUser, id: string, more: { p_take_over?: boolean; p_client_id?: string } = {}) =>
  of(by).rpc('claim_kyc', { p_id: id, ...more });
const claimsAbout = async (id: string) =>
  (await server.audit(id)).filter(({ action }) => /^kyc\.(claim|release)$/.test(action));

describe('the list', () => {
  test('KYC-22: newest first, or oldest first; a page begins after a row', async () => {
    const [older, newer] = [await pending(server), await pending(server)];
    const newest = await idsOf({});
    expect(newest.indexOf(newer.id)).toBeLessThan(newest.indexOf(older.id));
    const { checks, total } = await listed({ p_oldest_first: true });
    const oldest = checks.map(({ id }) => id);
    expect(oldest).toEqual(newest.toReversed());
    expect(total).toBe(oldest.length);
    const before = checks.find(({ id }) => id === older.id)!;
    const after = await idsOf({
      p_oldest_first: true,
      p_after: { submitted_at: before.submitted_at, id: before.id },
    });
    expect(after[0]).toBe(newer.id);
    expect(after).not.toContain(older.id);
  });

  test('KYC-23: found by a part of the name, the address or the number, by an id, and by the filters', async () => {
    const { trader, id } = await pending(server);
    const key = number();
    const second = await server.addUser('trader');
    const other = await submit(server, second, key);
    expect(await idsOf({ p_search: trader.username.slice(3).toUpperCase() })).toEqual([id]);
    expect(await idsOf({ p_search: trader.email })).toEqual([id]);
    expect(await idsOf({ p_search: key.slice(0, 8) })).toEqual([other]);
    expect(await idsOf({ p_search: trader.id })).toEqual([id]);
    expect(await idsOf({ p_search: '%' })).toEqual([]);
    expect(await idsOf({ p_search: trader.username, p_country: 'Spain' })).toEqual([]);
    expect(await idsOf({ p_search: trader.username, p_document_type: 'passport' })).toEqual([]);
    expect(await idsOf({ p_search: trader.username, p_document_type: 'id_card' })).toEqual([id]);
    await review(ada, id, rejected).throwOnError();
    const again = await submit(server, trader, number());
    expect(await idsOf({ p_search: trader.username, p_attempt: 'repeated' })).toEqual([again]);
    expect(await idsOf({ p_search: trader.username, p_attempt: 'first' })).toEqual([]);
    const { countries, min_age, at } = await listed({});
    expect(countries).toEqual([{ country: 'Portugal', checks: expect.any(Number) }]);
    expect(min_age).toBe(18);
    expect(Date.parse(at)).toBe(server.clock.now());
  });

  test('KYC-26: for admins only', async () => {
    for (const role of ['trader', 'manager', 'support'] as const) {
      const user = await server.addUser(role);
      const { status } = await of(user).rpc('list_kyc_checks', { p_status: 'pending' });
      expect(status).toBe(403);
    }
  });
});

describe('a claim', () => {
  test('lasts ten minutes, is seen by the others, and each change of it is in the audit log', async () => {
    const { id } = await pending(server);
    const { data } = await claim(ada, id).throwOnError();
    expect(data.claim).toEqual({ user_id: ada.id, username: ada.username, seconds_left: 600 });
    server.clock.advance(20_000);
    const row = (await listed({})).checks.find((check) => check.id === id);
    expect(row?.claim).toMatchObject({ username: ada.username, seconds_left: 580 });
    const { data: opened } = await of(ben).rpc('open_kyc_case', { p_id: id }).throwOnError();
    expect(opened.claim).toMatchObject({ user_id: ada.id, seconds_left: 580 });
    // Another reviewer's claim stays, unless it is taken over.
    expect((await claim(ben, id).throwOnError()).data.claim?.user_id).toBe(ada.id);
    expect((await claim(ada, id).throwOnError()).data.claim?.seconds_left).toBe(600);
    expect((await claim(ben, id, { p_take_over: true }).throwOnError()).data.claim?.user_id).toBe(ben.id);
    // Only its holder ends it.
    const release = (by: TestUser) => of(by).rpc('release_kyc', { p_id: id }).throwOnError();
    expect((await release(ada)).data.claim?.user_id).toBe(ben.id);
    expect((await release(ben)).data.claim).toBeNull();
    expect(await claimsAbout(id)).toMatchObject([
      { action: 'kyc.claim', actor_id: ada.id, detail: {} },
      { action: 'kyc.claim', actor_id: ada.id, detail: { how: 'renewed' } },
      { action: 'kyc.claim', actor_id: ben.id, detail: { how: 'taken over', from_user_id: ada.id } },
      { action: 'kyc.release', actor_id: ben.id },
    ]);
    await claim(ada, id).throwOnError();
    server.clock.advance(10 * minuteMs);
    expect((await listed({})).checks.find((check) => check.id === id)?.claim).toBeNull();
    expect((await claim(ben, id).throwOnError()).data.claim?.user_id).toBe(ben.id);
  });

  test('a repeat with the same client id is the same claim; two reviewers at once get one', async () => {
    const { id } = await pending(server);
    const p_client_id = randomUUID();
    await claim(ada, id, { p_client_id }).throwOnError();
    server.clock.advance(5000);
    expect((await claim(ada, id, { p_client_id }).throwOnError()).data.claim?.seconds_left).toBe(595);
    expect(await claimsAbout(id)).toHaveLength(1);
    const { id: second } = await pending(server);
    const answers = await Promise.all([claim(ada, second), claim(ben, second)]);
    expect(new Set(answers.map(({ data }) => data?.claim?.user_id)).size).toBe(1);
    expect(await claimsAbout(second)).toHaveLength(1);
  });

  test('KYC-19: lets the others decide, and ends with the decision', async () => {
    const { id } = await pending(server);
    await claim(ada, id).throwOnError();
    expect((await review(ben, id)).error).toBeNull();
    const { data } = await of(ada).rpc('open_kyc_case', { p_id: id }).throwOnError();
    expect(data).toMatchObject({ claim: null, verification: { status: 'approved' } });
    expect(await claim(ada, id)).toMatchObject({ status: 409, error: { code: 'changed_meanwhile' } });
  });

  test('KYC-26: is refused to other roles, and for an unknown or the own check', async () => {
    const { trader, id } = await pending(server);
    expect((await claim(trader, id)).status).toBe(403);
    expect((await claim(ada, randomUUID())).status).toBe(404);
  });

  test('the next case is in the chosen order, without those of other reviewers', async () => {
    const cases = [await pending(server), await pending(server), await pending(server)];
    const [first, second, third] = cases.map(({ id }) => id) as [string, string, string];
    const nextOf = async (id: string, p_oldest_first: boolean) =>
      (await of(ada).rpc('open_kyc_case', { p_id: id, p_oldest_first }).throwOnError()).data.next_id;
    expect(await nextOf(first, true)).toBe(second);
    expect(await nextOf(third, false)).toBe(second);
    await claim(ben, second).throwOnError();
    expect(await nextOf(first, true)).toBe(third);
    await claim(ada, second, { p_take_over: true }).throwOnError();
    expect(await nextOf(first, true)).toBe(second);
  });
});

describe('KYC_KEEP_DAYS', () => {
  /** Runs the retention as it would `laterMs` from now; the users' sessions stay in the present. */
  const discard = (kycKeepDays: number, laterMs: number) => {
    const timers = createManualTimers(server.clock.now() + laterMs);
    const { db, log } = server.server;
    return createRetention({ db, clock: timers, timers, log, config: { kycKeepDays } }).discardDue();
  };

  test('deletes the pictures of what was decided before, and neither the decision nor its duplicates', async () => {
    const shared = await picture();
    const trader = await server.addUser('trader');
    const id = await submit(server, trader, number(), [shared, await picture(), await picture()]);
    await review(ada, id, rejected).throwOnError();
    const waiting = await pending(server);
    server.clock.advance(minuteMs);
    const recent = await pending(server);
    await review(ada, recent.id).throwOnError();
    await discard(0, 9 * dayMs);
    await discard(30, 29 * dayMs);
    const opened = async (of_: string) =>
      (await of(ada).rpc('open_kyc_case', { p_id: of_ }).throwOnError()).data;
    expect((await opened(id)).pictures).toHaveLength(3);
    const lastMs = 30 * dayMs - 10_000;
    await discard(30, lastMs);
    expect(await opened(id)).toMatchObject({
      pictures: [],
      pictures_discarded_at: new Date(server.clock.now() + lastMs).toISOString(),
      verification: { status: 'rejected', reviewer_id: ada.id, first_name: 'Amelia' },
    });
    for (const stored of [waiting.id, recent.id]) {
      expect(await opened(stored)).toMatchObject({ pictures_discarded_at: null });
      expect((await opened(stored)).pictures).toHaveLength(3);
    }
    const { rows } = await server.db.query<{ bytes: string }>(
      `select count(*) as bytes from app.file_chunks c join app.files f on f.id = c.upload_id where f.owner_id = $1`,
      [trader.id],
    );
    expect(rows).toEqual([{ bytes: '0' }]);
    const { data: files } = await trader.client.storage.from('kyc-documents').list(trader.id);
    expect(files).toEqual([]);
    const record = (await server.audit(id)).filter(({ action }) => action === 'kyc.discard_pictures');
    expect(record).toMatchObject([{ actor_id: null, detail: { attempt: 1, pictures: 3, keep_days: 30 } }]);
    // Once: a second round finds nothing.
    await discard(30, lastMs);
    expect((await server.audit(id)).filter(({ action }) => action === 'kyc.discard_pictures')).toHaveLength(
      1,
    );
    // The same picture on another account is still found, and the trader can submit again.
    const copy = await submit(server, await server.addUser('trader'), number(), [
      shared,
      await picture(),
      await picture(),
    ]);
    expect((await opened(copy)).duplicates).toMatchObject([
      { verification_id: id, same: ['document_front'] },
    ]);
    expect(await submit(server, trader, number())).toEqual(expect.any(String));
  });

  test('deletes what was uploaded and never submitted, and nothing of a check', async () => {
    const trader = await server.addUser('trader');
    await upload(trader, [await picture(), await picture()]);
    const submitted = await pending(server);
    const decided = await pending(server);
    await review(ada, decided.id, rejected).throwOnError();
    // For the next attempt, which is not sent yet.
    await upload(decided.trader, [await picture()]);
    const stored = async ({ id }: TestUser) =>
      (
        await server.db.query<{ path: string }>(
          'select path from app.files where owner_id = $1 and discarded_at is null',
          [id],
        )
      ).rows.length;
    await discard(30, 29 * dayMs);
    expect([await stored(trader), await stored(decided.trader)]).toEqual([2, 4]);
    const later = 30 * dayMs + minuteMs;
    await discard(30, later);
    // The pictures of the decided check are as old as its decision.
    expect([await stored(trader), await stored(submitted.trader), await stored(decided.trader)]).toEqual([
      0, 3, 0,
    ]);
    const { rows } = await server.db.query(
      'select from app.file_chunks c join app.files f on f.id = c.upload_id where f.owner_id = $1',
      [trader.id],
    );
    expect(rows).toEqual([]);
    const discarded = (await server.audit(trader.id)).filter(
      ({ action }) => action === 'kyc.discard_pictures',
    );
    expect(discarded).toMatchObject([
      { actor_id: null, detail: { attempt: null, pictures: 2, keep_days: 30 } },
    ]);
    await discard(30, later);
    expect(
      (await server.audit(trader.id)).filter(({ action }) => action === 'kyc.discard_pictures'),
    ).toHaveLength(1);
  });
});
