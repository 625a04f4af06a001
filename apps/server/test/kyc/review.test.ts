/** Decisions on identity checks, with the official client: who decides, once, and what each role learns of it. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { kycReasonOf } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { server, shareUserServer, type TestUser } from '../identity/user-server.ts';
import { blurry, number, of, pending, rejected, review, submit } from './cases.ts';

let ada: TestUser;
let ben: TestUser;
shareUserServer();
beforeAll(async () => {
  [ada, ben] = await Promise.all([server.addUser('admin'), server.addUser('admin')]);
});

async function statusOf(trader: TestUser) {
  const { data } = await of(trader)
    .from('users')
    .select('kyc_status, kyc_verified_at')
    .eq('id', trader.id)
    .single()
    .throwOnError();
  return data;
}
const notices = async (trader: TestUser) => {
  const { data } = await of(trader)
    .from('notifications')
    .select('kind, message')
    .like('kind', 'kyc%')
    .throwOnError();
  return data;
};
const decisionsAbout = async (trader: TestUser) =>
  (await server.audit(trader.id)).filter(({ action }) => /^kyc\.(approve|reject)$/.test(action));

describe('a decision', () => {
  test('KYC-17, KYC-19, A58, A104: an approval verifies and notifies the user, and is in the audit log', async () => {
    const { trader, id } = await pending(server);
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
    const user = await statusOf(trader);
    expect(user.kyc_status).toBe('verified');
    expect(Date.parse(user.kyc_verified_at!)).toBe(Date.parse(data!.reviewed_at!));
    expect(await notices(trader)).toEqual([
      { kind: 'kyc_approved', message: expect.stringContaining('verified') },
    ]);
    expect(await decisionsAbout(trader)).toMatchObject([{ action: 'kyc.approve', actor_id: ada.id }]);
  });

  test('KYC-18, KYC-19, A63: rejected with reasons; the trader reads them and submits again', async () => {
    const { trader, id } = await pending(server);
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
    // Codes only: the text for the user may contain personal data.
    expect(JSON.stringify(record)).not.toContain(blurry.text);
    const second = await submit(server, trader, number());
    expect(await review(ben, second)).toMatchObject({
      error: null,
      data: { attempt: 2, status: 'approved' },
    });
    expect((await statusOf(trader)).kyc_status).toBe('verified');
  });

  test('A63: a final rejection is notified as one', async () => {
    const { trader, id } = await pending(server);
    await review(ada, id, { ...rejected, p_reject_type: 'final' }).throwOnError();
    expect(await notices(trader)).toEqual([
      { kind: 'kyc_rejected', message: 'Your verification was declined. Please contact support.' },
    ]);
  });

  test('A63: the trader sees a confidential reason as a neutral text only, admins see the reason', async () => {
    const { trader, id } = await pending(server);
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
      `Not disclosed to the trader: ${kycReasonOf('stolen_identity')?.label}.\nSee case 7`,
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

  test('A61, A63: the announcement of a decision has reviewer and private note for admins only', async () => {
    const { trader, id } = await pending(server);
    const receivedBy = async ({ id: userId, client }: TestUser) => {
      const received: Record<string, unknown>[] = [];
      const channel = client
        .channel(`user:${userId}`, { config: { private: true } })
        .on(
          'postgres_changes',
          { event: 'UPDATE', schema: 'public', table: 'kyc_verifications', filter: `id=eq.${id}` },
          (change) => received.push(change.new),
        );
      await new Promise<void>((resolve) => {
        channel.subscribe((status) => status === 'SUBSCRIBED' && resolve());
      });
      return received;
    };
    const [own, admins] = await Promise.all([receivedBy(trader), receivedBy(ben)]);
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
    ['an invisible text', { ...rejected, p_reasons: [{ ...blurry, text: '\u200b\u2060' }] }],
    ['a text that is too long', { ...rejected, p_reasons: [{ ...blurry, text: 'x'.repeat(301) }] }],
    ['a text that cannot be stored', { ...rejected, p_reasons: [{ ...blurry, text: 'half \ud800' }] }],
    ['an approval with a reason', { p_reasons: [blurry] }],
    ['a note that is too long', { p_note: 'x'.repeat(1001) }],
  ] as const)('%s is refused and changes nothing', async (_what, more) => {
    const { trader, id } = await pending(server);
    const { error, status } = await review(ada, id, more as never);
    expect({ status, code: error?.code }).toEqual({ status: 400, code: 'invalid_argument' });
    expect((await statusOf(trader)).kyc_status).toBe('pending');
    expect(await decisionsAbout(trader)).toEqual([]);
  });
});

describe('two reviewers', () => {
  test('A63: at the same moment exactly one decides; the other learns the decision and the reviewer', async () => {
    const { trader, id } = await pending(server);
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
    const { trader, id } = await pending(server);
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
    const { id } = await pending(server);
    expect(await review(ada, id, { p_version: 7 })).toMatchObject({ status: 409 });
  });

  test('a decided row does not change, not even for the program itself', async () => {
    const { id } = await pending(server);
    await review(ada, id).throwOnError();
    await expect(
      server.db.query(
        `update app.kyc_verifications set status = 'rejected', reject_type = 'retry' where id = $1`,
        [id],
      ),
    ).rejects.toThrow('a decided identity check does not change');
  });
});

describe('permissions', () => {
  test('KYC-26, X-21, A61: traders, managers and support neither open nor decide', async () => {
    const { trader, id } = await pending(server);
    const others = [trader, await server.addUser('manager'), await server.addUser('support')];
    for (const other of others) {
      expect(await review(other, id)).toMatchObject({ status: 403 });
      expect(await of(other).rpc('open_kyc_case', { p_id: id })).toMatchObject({ status: 403 });
      const changed = await of(other).from('kyc_verifications').update({ status: 'approved' }).eq('id', id);
      expect(changed.status).toBe(403);
    }
    for (const staff of others.slice(1)) {
      expect(await of(staff).from('kyc_verifications').select()).toMatchObject({ status: 403 });
    }
    const visitor = server.client() as SupabaseClient<Database>;
    expect(await visitor.rpc('open_kyc_case', { p_id: id })).toMatchObject({ status: 401 });
    expect((await statusOf(trader)).kyc_status).toBe('pending');
  });

  test('admins cannot review their own check, by either way', async () => {
    const trader = await server.addUser('trader');
    const id = await submit(server, trader, number());
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

describe('the documents’ own update', () => {
  test('CALL-61: approves at the server’s time', async () => {
    const { trader, id } = await pending(server);
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

  test('CALL-61: rejects with a general reason; the second reviewer gets a conflict, `pending` is no decision', async () => {
    const { trader, id } = await pending(server);
    const update = (by: TestUser, status: 'approved' | 'rejected' | 'pending') =>
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
