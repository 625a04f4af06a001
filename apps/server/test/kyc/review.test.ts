/** The review of identity checks, with the official client: who decides, once, and what everybody learns of it. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { kycReasonOf } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startPeopleServer } from '../accounts/people.ts';
import { eventually } from '../support/eventually.ts';

type Client = SupabaseClient<Database>;
type Server = Awaited<ReturnType<typeof startPeopleServer>>;

let server: Server;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  server = await startPeopleServer();
  [ada, ben] = await Promise.all([server.person('admin'), server.person('admin')]);
});
afterAll(() => server.close());

const documents = ['document_front', 'document_back', 'selfie'] as const;
const bucket = 'kyc-documents';
const of = ({ client }: Person) => client as Client;

/** A picture that no other one is. */
async function picture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: 64, height: 40, channels: 3, background: '#fff', noise } })
    .png()
    .toBuffer();
}

async function upload(trader: Person, pictures: readonly Buffer[]): Promise<void> {
  for (const [place, bytes] of pictures.entries()) {
    const path = `${trader.id}/${documents[place]}.jpg`;
    const body = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
    const { error } = await trader.client.storage.from(bucket).upload(path, body, { upsert: true });
    if (error) throw error;
  }
}

const fields = {
  first_name: 'Amelia',
  last_name: 'Stone',
  date_of_birth: '1991-04-17',
  country: 'Portugal',
  address: 'Rua das Flores 128',
  city: 'Porto',
  postal_code: '4050-262',
  document_type: 'id_card',
} as const;

async function submit(trader: Person, number: string, pictures?: readonly Buffer[]): Promise<string> {
  // Each is newer than the one before.
  server.clock.advance(1000);
  await upload(trader, pictures ?? [await picture(), await picture(), await picture()]);
  const { data } = await of(trader)
    .from('kyc_verifications')
    .insert({
      user_id: trader.id,
      ...fields,
      document_number: number,
      document_front_url: `${trader.id}/document_front.jpg`,
      document_back_url: `${trader.id}/document_back.jpg`,
      selfie_url: `${trader.id}/selfie.jpg`,
      status: 'pending',
      submitted_at: new Date().toISOString(),
    })
    .select('id')
    .single()
    .throwOnError();
  return data.id;
}

const number = () => randomUUID().slice(0, 12);
async function pending(): Promise<{ trader: Person; id: string }> {
  const trader = await server.person('trader');
  return { trader, id: await submit(trader, number()) };
}

const review = (
  by: Person,
  id: string,
  more: Partial<Database['public']['Functions']['review_kyc']['Args']> = {},
) => of(by).rpc('review_kyc', { p_id: id, p_decision: 'approved', p_version: 1, ...more });
const blurry = { document: 'document_back', code: 'blurry', text: 'Please take the back again.' } as const;
const rejected = { p_decision: 'rejected' as const, p_reasons: [blurry] };

async function statusOf(trader: Person) {
  const { data } = await of(trader)
    .from('users')
    .select('kyc_status, kyc_verified_at')
    .eq('id', trader.id)
    .single()
    .throwOnError();
  return data;
}
const notices = async (trader: Person) => {
  const { data } = await of(trader)
    .from('notifications')
    .select('kind, message')
    .like('kind', 'kyc%')
    .throwOnError();
  return data;
};
const decisionsAbout = async (trader: Person) =>
  (await server.audit(trader.id)).filter(({ action }) => /^kyc_(approved|rejected)$/.test(action));

describe('a decision', () => {
  test('KYC-17, KYC-19, A58, A104: approved, the person is verified, told, and it is on record', async () => {
    const { trader, id } = await pending();
    const { data, error } = await review(ada, id, { p_note: 'Looks right' });
    expect(error).toBeNull();
    expect(data).toMatchObject({
      id,
      status: 'approved',
      reviewer_id: ada.id,
      private_note: 'Looks right',
      reject_type: null,
      reasons: [],
      version: 2,
      reviewed_at: expect.any(String),
    });
    const person = await statusOf(trader);
    expect(person.kyc_status).toBe('verified');
    expect(Date.parse(person.kyc_verified_at!)).toBe(Date.parse(data!.reviewed_at!));
    expect(await notices(trader)).toEqual([
      { kind: 'kyc_approved', message: expect.stringContaining('verified') },
    ]);
    expect(await decisionsAbout(trader)).toMatchObject([{ action: 'kyc_approved', actor_id: ada.id }]);
  });

  test('KYC-18, KYC-19, A63: rejected with reasons; the trader reads them and submits again', async () => {
    const { trader, id } = await pending();
    const { data } = await review(ada, id, rejected).throwOnError();
    expect(data).toMatchObject({ status: 'rejected', reject_type: 'retry', reasons: [blurry] });
    expect(await statusOf(trader)).toEqual({ kyc_status: 'rejected', kyc_verified_at: null });
    const { data: own } = await of(trader)
      .from('kyc_verifications')
      .select('status, reasons, reject_type')
      .throwOnError();
    expect(own).toEqual([{ status: 'rejected', reasons: [blurry], reject_type: 'retry' }]);
    const [record] = await decisionsAbout(trader);
    expect(record?.detail).toMatchObject({ reasons: [{ document: 'document_back', code: 'blurry' }] });
    // Codes only: what was written to the person may name them.
    expect(JSON.stringify(record)).not.toContain(blurry.text);
    const second = await submit(trader, number());
    expect(await review(ben, second)).toMatchObject({
      error: null,
      data: { attempt: 2, status: 'approved' },
    });
    expect((await statusOf(trader)).kyc_status).toBe('verified');
  });

  test('A63: a final rejection is told as one', async () => {
    const { trader, id } = await pending();
    await review(ada, id, { ...rejected, p_reject_type: 'final' }).throwOnError();
    expect(await notices(trader)).toEqual([
      { kind: 'kyc_rejected', message: 'Your verification was declined. Please contact support.' },
    ]);
  });

  test('A63: a confidential reason reaches the trader as a neutral sentence only, and admins as what it is', async () => {
    const { trader, id } = await pending();
    const fraud = {
      document: 'selfie',
      code: 'stolen_identity',
      text: 'We know that you stole this.',
    } as const;
    const { data } = await review(ada, id, {
      ...rejected,
      p_reasons: [fraud],
      p_note: 'See case 7',
    }).throwOnError();
    expect(data.private_note).toBe(
      `Not told to the trader: ${kycReasonOf('stolen_identity')?.label}.\nSee case 7`,
    );
    const { data: own } = await of(trader).from('kyc_verifications').select().throwOnError();
    expect(own).toMatchObject([
      { reasons: [{ document: null, text: kycReasonOf('stolen_identity')?.text }] },
    ]);
    expect(JSON.stringify(own)).not.toMatch(/stole|identity_theft|case 7/);
    expect(own[0]).not.toHaveProperty('private_note');
    expect(own[0]).not.toHaveProperty('reviewer_id');
    const refused = await of(trader).from('kyc_verifications').select('private_note');
    expect(refused).toMatchObject({ status: 403, error: { code: '42501' } });
  });

  test('A61, A63: what is announced of a decision names reviewer and private note to admins only', async () => {
    const { trader, id } = await pending();
    const heardBy = async ({ id: userId, client }: Person) => {
      const heard: Record<string, unknown>[] = [];
      const channel = client
        .channel(`user:${userId}`, { config: { private: true } })
        .on(
          'postgres_changes',
          { event: 'UPDATE', schema: 'public', table: 'kyc_verifications', filter: `id=eq.${id}` },
          (change) => heard.push(change.new),
        );
      await new Promise<void>((resolve) => {
        channel.subscribe((status) => status === 'SUBSCRIBED' && resolve());
      });
      return heard;
    };
    const [own, admins] = await Promise.all([heardBy(trader), heardBy(ben)]);
    await review(ada, id, { ...rejected, p_note: 'See case 9' }).throwOnError();
    await eventually(() => expect([own.length, admins.length]).toEqual([1, 1]));
    expect(admins).toMatchObject([{ reviewer_id: ada.id, private_note: 'See case 9' }]);
    expect(own).toMatchObject([{ id, status: 'rejected', reasons: [blurry] }]);
    expect(own[0]).not.toHaveProperty('reviewer_id');
    expect(own[0]).not.toHaveProperty('private_note');
    expect(JSON.stringify(own)).not.toMatch(new RegExp(`${ada.id}|case 9`));
    await Promise.all([trader, ben].map(({ client }) => client.removeAllChannels()));
  });

  test.each([
    ['a rejection without a reason', { p_decision: 'rejected' }],
    ['a code that is not in the list', { ...rejected, p_reasons: [{ ...blurry, code: 'ugly' }] }],
    ['a reason that is not of that document', { ...rejected, p_reasons: [{ ...blurry, code: 'no_face' }] }],
    ['a text of blanks', { ...rejected, p_reasons: [{ ...blurry, text: '  ' }] }],
    ['a text that nobody sees', { ...rejected, p_reasons: [{ ...blurry, text: '\u200b\u2060' }] }],
    ['a text that is too long', { ...rejected, p_reasons: [{ ...blurry, text: 'x'.repeat(301) }] }],
    ['a text that cannot be stored', { ...rejected, p_reasons: [{ ...blurry, text: 'half \ud800' }] }],
    ['an approval with a reason', { p_reasons: [blurry] }],
    ['a note that is too long', { p_note: 'x'.repeat(1001) }],
  ] as const)('%s is refused and changes nothing', async (_what, more) => {
    const { trader, id } = await pending();
    const { error, status } = await review(ada, id, more as never);
    expect({ status, code: error?.code }).toEqual({ status: 400, code: 'invalid_argument' });
    expect((await statusOf(trader)).kyc_status).toBe('pending');
    expect(await decisionsAbout(trader)).toEqual([]);
  });
});

describe('two reviewers', () => {
  test('A63: at the same moment exactly one decides; the other learns what was decided and by whom', async () => {
    const { trader, id } = await pending();
    const outcomes = await Promise.all([review(ada, id), review(ben, id, rejected)]);
    const won = outcomes.filter(({ error }) => error === null);
    const [lost] = outcomes.filter(({ error }) => error !== null);
    expect(won).toHaveLength(1);
    const isAdas = outcomes[0]!.error === null;
    expect(lost).toMatchObject({
      status: 409,
      error: {
        code: 'changed_meanwhile',
        message: 'Someone else changed this in the meantime.',
        details: expect.stringContaining(
          isAdas ? `Approved by ${ada.username}` : `Rejected by ${ben.username}`,
        ),
      },
    });
    expect(await decisionsAbout(trader)).toHaveLength(1);
    expect(await notices(trader)).toHaveLength(1);
    expect((await statusOf(trader)).kyc_status).toBe(isAdas ? 'verified' : 'rejected');
  });

  test('a repeat with the same client id is the same decision; another one is a conflict', async () => {
    const { trader, id } = await pending();
    const p_client_id = randomUUID();
    const { data: first } = await review(ada, id, { ...rejected, p_client_id }).throwOnError();
    const { data: again } = await review(ada, id, { ...rejected, p_client_id }).throwOnError();
    expect(again).toEqual(first);
    for (const other of [
      review(ada, id, { p_client_id }),
      review(ada, id, { ...rejected, p_client_id: randomUUID() }),
      review(ben, id, { ...rejected, p_client_id }),
    ]) {
      expect(await other).toMatchObject({ status: 409, error: { code: 'changed_meanwhile' } });
    }
    expect(await notices(trader)).toHaveLength(1);
  });

  test('a version that was never there is a conflict', async () => {
    const { id } = await pending();
    expect(await review(ada, id, { p_version: 7 })).toMatchObject({ status: 409 });
  });

  test('a decided row does not change, not even for the program itself', async () => {
    const { id } = await pending();
    await review(ada, id).throwOnError();
    await expect(
      server.db.query(
        `update app.kyc_verifications set status = 'rejected', reject_type = 'retry' where id = $1`,
        [id],
      ),
    ).rejects.toThrow('a decided identity check does not change');
  });
});

describe('who may', () => {
  test('KYC-26, A61: traders, managers and support neither open nor decide', async () => {
    const { trader, id } = await pending();
    const others = [trader, await server.person('manager'), await server.person('support')];
    for (const other of others) {
      expect(await review(other, id)).toMatchObject({ status: 403 });
      expect(await of(other).rpc('open_kyc_case', { p_id: id })).toMatchObject({ status: 403 });
      const changed = await of(other).from('kyc_verifications').update({ status: 'approved' }).eq('id', id);
      expect(changed.status).toBe(403);
    }
    for (const staff of others.slice(1)) {
      expect(await of(staff).from('kyc_verifications').select()).toMatchObject({ status: 403 });
    }
    const nobody = server.client() as Client;
    expect(await nobody.rpc('open_kyc_case', { p_id: id })).toMatchObject({ status: 401 });
    expect((await statusOf(trader)).kyc_status).toBe('pending');
  });

  test('nobody reviews themself, by neither way', async () => {
    const trader = await server.person('trader');
    const id = await submit(trader, number());
    await of(ada)
      .rpc('safe_update_user_profile', {
        user_id: trader.id,
        new_role: 'admin',
        current_password: 'correct-horse-battery-9',
      })
      .throwOnError();
    const promoted = { ...trader, client: await server.signIn(trader.email) };
    const { data: opened } = await of(promoted).rpc('open_kyc_case', { p_id: id }).throwOnError();
    expect(opened.may_review).toBe(false);
    expect(await review(promoted, id)).toMatchObject({ status: 403, error: { code: 'not_allowed' } });
    const literal = await of(promoted).from('kyc_verifications').update({ status: 'approved' }).eq('id', id);
    expect(literal).toMatchObject({ status: 403, error: { code: 'not_allowed' } });
    expect((await statusOf(promoted)).kyc_status).toBe('pending');
  });
});

describe('CALL-61: the documents’ own update', () => {
  test('approves at the server’s time', async () => {
    const { trader, id } = await pending();
    const { data } = await of(ada)
      .from('kyc_verifications')
      .update({ status: 'approved', reviewed_at: '2001-01-01T00:00:00Z' })
      .eq('id', id)
      .select('status, reviewed_at, reviewer_id')
      .single()
      .throwOnError();
    expect(data).toMatchObject({ status: 'approved', reviewer_id: ada.id });
    expect(data.reviewed_at).not.toContain('2001');
    expect(await statusOf(trader)).toMatchObject({ kyc_status: 'verified' });
  });

  test('rejects with a general reason; the second reviewer gets a conflict, `pending` is no decision', async () => {
    const { trader, id } = await pending();
    const update = (by: Person, status: 'approved' | 'rejected' | 'pending') =>
      of(by).from('kyc_verifications').update({ status, reviewed_at: new Date().toISOString() }).eq('id', id);
    expect(await update(ada, 'pending')).toMatchObject({ status: 400 });
    expect(await update(ada, 'rejected')).toMatchObject({ error: null });
    expect(await update(ben, 'approved')).toMatchObject({
      status: 409,
      error: { code: 'changed_meanwhile' },
    });
    const { data } = await of(trader)
      .from('kyc_verifications')
      .select('reasons, reject_type')
      .single()
      .throwOnError();
    expect(data).toEqual({
      reject_type: 'retry',
      reasons: [{ document: null, code: 'other', text: kycReasonOf('other')?.text }],
    });
  });
});

describe('what a reviewer sees', () => {
  test('CALL-60, KYC-22, KYC-23: the list of a status, newest first, with username and email', async () => {
    const [older, newer] = [await pending(), await pending()];
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
    // KYC-25, CALL-59
    const own = await of(older.trader)
      .from('kyc_verifications')
      .select('id')
      .eq('status', 'pending')
      .throwOnError();
    expect(own.data).toEqual([{ id: older.id }]);
  });

  test('a case: fields, person, attempts, its own pictures, and the next in the list’s order', async () => {
    const [next, { trader, id }] = [await pending(), await pending()];
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
    await submit(trader, number());
    const { data: decided } = await of(ben).rpc('open_kyc_case', { p_id: id }).throwOnError();
    expect(decided).toMatchObject({
      reviewer_name: ada.username,
      attempts: [{ attempt: 2 }, { attempt: 1 }],
    });
    // A57: the pictures of the attempt, not the newest of the path.
    expect(await Promise.all(decided.pictures.map(({ url }) => bytesOf(ben, url)))).toEqual(before);
  });

  test('A60: a link is good for a minute, in the session that asked, and each look is on record', async () => {
    const { trader, id } = await pending();
    const { data: opened } = await of(ada).rpc('open_kyc_case', { p_id: id }).throwOnError();
    const { url, expires_at } = opened.pictures[0]!;
    expect(Date.parse(expires_at) - server.clock.now()).toBeLessThanOrEqual(60_000);
    const looks = (await server.audit(trader.id)).filter(({ detail }) => detail.how === 'link made');
    expect(looks.map(({ actor_id }) => actor_id)).toEqual([ada.id, ada.id, ada.id]);
    const tokenOf = async (person: Person) =>
      (await person.client.auth.getSession()).data.session!.access_token;
    const as = async (person: Person) =>
      (
        await fetch(server.url + url, {
          headers: { authorization: `Bearer ${await tokenOf(person)}`, apikey: server.anonKey },
        })
      ).status;
    expect(await as(ada)).toBe(200);
    expect(await as(ben)).toBe(404);
    expect(await as(trader)).toBe(404);
    // Forged, or by somebody who is not signed in.
    for (const link of [`${url}x`, url]) expect((await fetch(server.url + link)).status).toBe(404);
    // Nobody without a link at all.
    expect((await fetch(`${server.url}/storage/v1/object/${bucket}/${trader.id}/selfie.jpg`)).ok).toBe(false);
    server.clock.advance(60_001);
    expect(await as(ada)).toBe(404);
  });

  test('duplicates: the same number however it is spaced, and the same picture in any place, of other people only', async () => {
    const [one, two, three] = await Promise.all(
      ['trader', 'trader', 'trader'].map(() => server.person('trader')),
    );
    const shared = await picture();
    const key = number();
    const first = await submit(one!, `ab ${key}`, [await picture(), shared, await picture()]);
    const second = await submit(two!, `AB-${key}`);
    const third = await submit(three!, number(), [shared, await picture(), await picture()]);
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
    // A second attempt of the same person is no duplicate of the first.
    await review(ada, second, rejected).throwOnError();
    const again = await submit(two!, `ab${key}`);
    expect((await duplicatesOf(again)).map(({ username }) => username)).toEqual([one!.username]);
  });

  test('an unknown id is not found', async () => {
    expect(await of(ada).rpc('open_kyc_case', { p_id: randomUUID() })).toMatchObject({ status: 404 });
    expect(await review(ada, randomUUID())).toMatchObject({ status: 404 });
  });
});

async function bytesOf(viewer: Person, url: string): Promise<string> {
  const { data } = await viewer.client.auth.getSession();
  const headers = { authorization: `Bearer ${data.session!.access_token}`, apikey: server.anonKey };
  const answer = await fetch(server.url + url, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer()).toString('base64');
}
