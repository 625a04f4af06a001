/** CALL-58 as the official client makes it: three uploads through the storage API, then the row. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { type KycPicture, kycPictures } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { server, shareTestServer, testPassword } from '../harness/index.ts';

type Client = SupabaseClient<Database>;
interface Applicant {
  readonly client: Client;
  readonly userId: string;
}

let pictures: readonly Blob[];
shareTestServer();
beforeAll(async () => {
  pictures = await Promise.all(
    ['#7a3b2e', '#2e5a7a', '#3d7a2e', '#7a2e6b', '#6b7a2e', '#2e7a75'].map(picture),
  );
});

/** A real JPEG without content. */
async function picture(background: string): Promise<Blob> {
  const bytes = await sharp({ create: { width: 1000, height: 630, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
}

async function trader(): Promise<Applicant> {
  const { client, userId } = await server.signUpTrader();
  return { client: client as Client, userId };
}

const uploadOne = async ({ client, userId }: Applicant, which: KycPicture, index: number) => {
  const { error } = await client.storage
    .from('kyc-documents')
    .upload(`${userId}/${which}.jpg`, pictures[index] ?? new Blob([]), { upsert: true });
  if (error) throw error;
};
async function upload(user: Applicant, [front, back, selfie] = [0, 1, 2]): Promise<void> {
  await uploadOne(user, 'document_front', front ?? 0);
  await uploadOne(user, 'document_back', back ?? 1);
  await uploadOne(user, 'selfie', selfie ?? 2);
}

const fieldsOf = ({ userId }: Applicant) => ({
  user_id: userId,
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-04-23',
  country: 'United Kingdom',
  address: '12 St James’s Square',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  document_type: 'passport' as const,
  document_number: '123 456-789',
  document_front_url: `${userId}/document_front.jpg`,
  document_back_url: `${userId}/document_back.jpg`,
  selfie_url: `${userId}/selfie.jpg`,
  status: 'pending' as const,
});
type Row = ReturnType<typeof fieldsOf>;
const submit = (
  user: Applicant,
  over: Partial<Record<keyof Row | 'client_id' | 'submitted_at', unknown>> = {},
) =>
  // A test sends what the types forbid.
  user.client.from('kyc_verifications').insert({ ...fieldsOf(user), ...over } as Row);

/** Decides the pending attempt without the review, which has its own tests. */
async function decide(
  { userId }: Applicant,
  status: 'approved' | 'rejected',
  rejectType: 'retry' | 'final' | null,
) {
  await server.db.query(
    `update app.kyc_verifications set status = $2, reviewed_at = now(), reject_type = $3 where user_id = $1 and status = 'pending'`,
    [userId, status, rejectType],
  );
  await server.db.query('update app.users set kyc_status = $2 where id = $1', [
    userId,
    status === 'approved' ? 'verified' : 'rejected',
  ]);
}

async function standing({ userId }: Applicant) {
  const { rows } = await server.db.query<{ kyc_status: string; attempts: number; auditRows: number }>(
    `select kyc_status, (select count(*)::int from app.kyc_verifications k where k.user_id = u.id) as attempts,
            (select count(*)::int from app.audit_log a where a.subject_id = u.id and a.action = 'kyc.submit') as "auditRows"
     from app.users u where id = $1`,
    [userId],
  );
  return rows[0];
}
const untouched = { kyc_status: 'unverified', attempts: 0, auditRows: 0 };

describe('submission', () => {
  test('CALL-58, KYC-11 … KYC-15, ENT-29: the stated calls create a pending row, a pending user and an audit row', async () => {
    const user = await trader();
    await upload(user);
    const before = Date.now();
    const { status, error } = await submit(user, { submitted_at: '2001-01-01T00:00:00Z' });
    expect({ status, error }).toEqual({ status: 201, error: null });
    const { data: row } = await user.client
      .from('kyc_verifications')
      .select()
      .eq('user_id', user.userId)
      .eq('status', 'pending')
      .single()
      .throwOnError();
    expect(row).toMatchObject({
      ...fieldsOf(user),
      attempt: 1,
      reviewed_at: null,
      reasons: [],
      version: 1,
    });
    expect(Date.parse(row.submitted_at)).toBeGreaterThanOrEqual(before);
    expect(Object.keys(row)).not.toContain('private_note');
    expect(await standing(user)).toEqual({ kyc_status: 'pending', attempts: 1, auditRows: 1 });
  });

  test('CALL-59, KYC-25, ENT-30: the pending one is readable by its user, and shows as approved or rejected after its decision', async () => {
    const [user, stranger] = [await trader(), await trader()];
    const of = async ({ client }: Applicant, status: 'pending' | 'approved' | 'rejected') => {
      const rows = client.from('kyc_verifications').select('user_id, status').eq('status', status);
      return (await rows.eq('user_id', user.userId).throwOnError()).data;
    };
    const row = { user_id: user.userId };
    for (const decision of ['rejected', 'approved'] as const) {
      await upload(user);
      await submit(user).throwOnError();
      expect(await of(user, 'pending')).toEqual([{ ...row, status: 'pending' }]);
      expect(await of(stranger, 'pending')).toEqual([]);
      await decide(user, decision, decision === 'rejected' ? 'retry' : null);
      expect(await of(user, 'pending')).toEqual([]);
      expect(await of(user, decision)).toEqual([{ ...row, status: decision }]);
    }
    for (const status of ['withdrawn', 'approved']) {
      expect((await submit(stranger, { status })).status).toBe(400);
    }
  });

  test('each attempt is announced to its user once, for any number of repeats', async () => {
    const user = await trader();
    await upload(user);
    const announced: unknown[] = [];
    const channel = user.client.channel(`user:${user.userId}`, { config: { private: true } });
    const filter = { event: '*', schema: 'public', table: 'kyc_verifications' } as const;
    channel.on('postgres_changes', filter, ({ eventType, new: row }) => announced.push({ eventType, row }));
    await new Promise<void>((resolve) => {
      channel.subscribe((status) => status === 'SUBSCRIBED' && resolve());
    });
    const client_id = randomUUID();
    for (const _ of [1, 2]) await submit(user, { client_id }).throwOnError();
    await decide(user, 'rejected', 'retry');
    await upload(user, [3, 4, 5]);
    await submit(user).throwOnError();
    await eventually(() => expect(announced.length).toBeGreaterThan(1));
    expect(announced).toMatchObject([
      { eventType: 'INSERT', row: { status: 'pending', attempt: 1, user_id: user.userId } },
      { eventType: 'INSERT', row: { status: 'pending', attempt: 2 } },
    ]);
  });

  test('a repeat with the same client_id is the same attempt, also at the same time; other fields are refused', async () => {
    const user = await trader();
    await upload(user);
    const client_id = randomUUID();
    const answers = await Promise.all(
      [1, 2, 3].map(() => submit(user, { client_id }).select('id, attempt').single().throwOnError()),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const other = await submit(user, { client_id, city: 'Leeds' });
    expect({ status: other.status, code: other.error?.code }).toEqual({
      status: 409,
      code: 'idempotency_conflict',
    });
    expect(await standing(user)).toMatchObject({ attempts: 1, auditRows: 1 });
  });

  test('A57: of two at once one is accepted; the other is refused as under review', async () => {
    const user = await trader();
    await upload(user);
    const outcomes = await Promise.all([submit(user), submit(user)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = outcomes.find(({ error }) => error !== null);
    expect(refused?.error?.message).toBe('A verification is already under review.');
    expect(await standing(user)).toEqual({ kyc_status: 'pending', attempts: 1, auditRows: 1 });
  });

  test('an attempt retains its own pictures after later uploads', async () => {
    const user = await trader();
    await upload(user);
    await submit(user).throwOnError();
    await upload(user, [3, 4, 5]);
    const { rows } = await server.db.query<{ version: number }>(
      `select f.version from app.kyc_verifications k
       join app.files f on f.id in (k.document_front_file, k.document_back_file, k.selfie_file) where k.user_id = $1`,
      [user.userId],
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 1, 1]);
  });
});

describe('another attempt', () => {
  test('A57: after a rejection a new row with new pictures; the old one stays as it is', async () => {
    const user = await trader();
    await upload(user);
    await submit(user).throwOnError();
    await decide(user, 'rejected', 'retry');
    // KYC-09: those of the attempt before do not count again, not even one of them.
    const stale = await submit(user);
    expect(stale.error).toMatchObject({ message: 'Please upload all required documents' });
    await uploadOne(user, 'document_front', 3);
    await uploadOne(user, 'document_back', 4);
    const oneStale = await submit(user);
    expect(oneStale.error).toMatchObject({
      message: 'Please upload all required documents',
      details: 'selfie is the one of the attempt before',
    });
    await uploadOne(user, 'selfie', 2);
    await submit(user, { city: 'Leeds' }).throwOnError();
    const { data } = await user.client
      .from('kyc_verifications')
      .select('attempt, status, city')
      .order('attempt')
      .throwOnError();
    expect(data).toEqual([
      { attempt: 1, status: 'rejected', city: 'London' },
      { attempt: 2, status: 'pending', city: 'Leeds' },
    ]);
    expect(await standing(user)).toMatchObject({ kyc_status: 'pending' });
  });

  test('A63: after a final rejection there is none', async () => {
    const user = await trader();
    await upload(user);
    await submit(user).throwOnError();
    await decide(user, 'rejected', 'final');
    await upload(user, [3, 4, 5]);
    const { status, error } = await submit(user);
    expect({ status, message: error?.message }).toEqual({
      status: 403,
      message: 'Your verification was declined. Please contact support.',
    });
  });

  test('a verified user cannot submit', async () => {
    const user = await trader();
    await upload(user);
    await submit(user).throwOnError();
    await decide(user, 'approved', null);
    await upload(user, [3, 4, 5]);
    const { status, error } = await submit(user);
    expect({ status, message: error?.message }).toEqual({ status: 409, message: texts.kycVerified });
  });
});

describe('a refusal leaves nothing behind', () => {
  let user: Applicant;
  beforeAll(async () => {
    user = await trader();
    await upload(user);
  });
  const future = '2990-01-01';
  test.each([
    ['KYC-07: no first name', { first_name: ' ' }, 'First name is required'],
    ['KYC-07: no last name', { last_name: undefined }, 'Last name is required'],
    ['KYC-07: no date of birth', { date_of_birth: undefined }, 'Date of birth is required'],
    ['KYC-07: no country', { country: '' }, 'Country is required'],
    ['KYC-07: no address', { address: '' }, 'Address is required'],
    ['KYC-07: no city', { city: '' }, 'City is required'],
    ['KYC-07: no postal code', { postal_code: '' }, 'Postal code is required'],
    ['KYC-07: no document type', { document_type: undefined }, 'Document type is required'],
    ['KYC-07: no document number', { document_number: '' }, 'Document number is required'],
    ['a birth in the future', { date_of_birth: future }, 'Date of birth must be in the past'],
    ['a long country', { country: 'x'.repeat(61) }, 'Country must be at most 60 characters'],
    ['an invisible character', { city: 'Lon\u202edon' }, 'City must not contain invisible characters'],
    ['KYC-09: no selfie named', { selfie_url: undefined }, 'Please upload all required documents'],
    ['another status', { status: 'approved' }, 'The status of a new verification is pending.'],
    ['a long client id', { client_id: 'x'.repeat(65) }, 'A client id has 1 to 64 characters'],
  ])('%s', async (_what, over, message) => {
    const { status, error } = await submit(user, over);
    expect({ status, message: error?.message }).toEqual({ status: 400, message });
    expect(await standing(user)).toEqual(untouched);
  });

  test('KYC-08: another document type', async () => {
    const { status } = await submit(user, { document_type: 'library_card' });
    expect(status).toBe(400);
    expect(await standing(user)).toEqual(untouched);
  });

  test('another path, another’s path, another’s name', async () => {
    const other = await trader();
    const refusals = [
      await submit(user, { document_front_url: `${user.userId}/selfie.jpg` }),
      await submit(user, { document_front_url: `${other.userId}/document_front.jpg` }),
      await submit(user, { user_id: other.userId }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 403]);
    expect([await standing(user), await standing(other)]).toEqual([untouched, untouched]);
  });

  test('several rows at once', async () => {
    const { status } = await user.client.from('kyc_verifications').insert([fieldsOf(user), fieldsOf(user)]);
    expect(status).toBe(400);
    expect(await standing(user)).toEqual(untouched);
  });

  test.each(kycPictures)('KYC-09: without a picture at %s', async (missing) => {
    const applicant = await trader();
    for (const [index, which] of kycPictures.entries()) {
      if (which !== missing) await uploadOne(applicant, which, index);
    }
    const { status, error } = await submit(applicant);
    expect({ status, message: error?.message }).toEqual({
      status: 400,
      message: 'Please upload all required documents',
    });
    expect(await standing(applicant)).toEqual(untouched);
  });

  test('the same picture for two', async () => {
    const applicant = await trader();
    await upload(applicant, [0, 1, 0]);
    const { status, error } = await submit(applicant);
    expect({ status, message: error?.message }).toEqual({ status: 400, message: texts.kycSamePicture });
    expect(await standing(applicant)).toEqual(untouched);
  });

  test('staff, and a caller without a session', async () => {
    const client = server.client() as Client;
    expect((await submit({ client, userId: user.userId })).status).toBe(401);
    const { accounts, db } = server.server;
    for (const role of ['support', 'manager', 'admin'] as const) {
      const name = `kyc-${role}`;
      const email = `${name}@example.test`;
      const { id } = await accounts.createUser(db, {
        email,
        username: name,
        password: testPassword,
        role,
        initialBalance: null,
      });
      const staff = server.client() as Client;
      await staff.auth.signInWithPassword({ email, password: testPassword });
      expect((await submit({ client: staff, userId: id })).status).toBe(403);
    }
  });
});
