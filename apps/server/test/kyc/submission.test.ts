/** CALL-58 as the official client makes it: three uploads through the storage API, then the row. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { type KycPicture, kycPictures } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestServer, type TestServer, testPassword } from '../support/index.ts';

type Client = SupabaseClient<Database>;
interface Person {
  readonly client: Client;
  readonly userId: string;
}

let server: TestServer;
let pictures: readonly Blob[];
beforeAll(async () => {
  server = await startTestServer();
  pictures = await Promise.all(
    ['#7a3b2e', '#2e5a7a', '#3d7a2e', '#7a2e6b', '#6b7a2e', '#2e7a75'].map(picture),
  );
});
afterAll(() => server.close());

/** A true JPEG that says nothing. */
async function picture(background: string): Promise<Blob> {
  const bytes = await sharp({ create: { width: 1000, height: 630, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
}

async function trader(): Promise<Person> {
  const { client, userId } = await server.signUpTrader();
  return { client: client as Client, userId };
}

const uploadOne = async ({ client, userId }: Person, which: KycPicture, index: number) => {
  const { error } = await client.storage
    .from('kyc-documents')
    .upload(`${userId}/${which}.jpg`, pictures[index] ?? new Blob([]), { upsert: true });
  if (error) throw error;
};
async function upload(person: Person, [front, back, selfie] = [0, 1, 2]): Promise<void> {
  await uploadOne(person, 'document_front', front ?? 0);
  await uploadOne(person, 'document_back', back ?? 1);
  await uploadOne(person, 'selfie', selfie ?? 2);
}

const fieldsOf = ({ userId }: Person) => ({
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
  person: Person,
  over: Partial<Record<keyof Row | 'client_id' | 'submitted_at', unknown>> = {},
) =>
  // A test sends what the types forbid.
  person.client.from('kyc_verifications').insert({ ...fieldsOf(person), ...over } as Row);

/** Decides the pending attempt past the review, which has tests of its own. */
async function decide(
  { userId }: Person,
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

async function standing({ userId }: Person) {
  const { rows } = await server.db.query<{ kyc_status: string; attempts: number; acts: number }>(
    `select kyc_status, (select count(*)::int from app.kyc_verifications k where k.user_id = u.id) as attempts,
            (select count(*)::int from app.audit_log a where a.subject_id = u.id and a.action = 'kyc_submitted') as acts
     from app.users u where id = $1`,
    [userId],
  );
  return rows[0];
}
const untouched = { kyc_status: 'unverified', attempts: 0, acts: 0 };

describe('submission', () => {
  test('CALL-58, KYC-11 … KYC-15, ENT-29: the stated calls make a pending row, a pending person and an audit row', async () => {
    const person = await trader();
    await upload(person);
    const before = Date.now();
    const { status, error } = await submit(person, { submitted_at: '2001-01-01T00:00:00Z' });
    expect({ status, error }).toEqual({ status: 201, error: null });
    const { data: row } = await person.client
      .from('kyc_verifications')
      .select()
      .eq('user_id', person.userId)
      .eq('status', 'pending')
      .single()
      .throwOnError();
    expect(row).toMatchObject({
      ...fieldsOf(person),
      attempt: 1,
      reviewed_at: null,
      reasons: [],
      version: 1,
    });
    expect(Date.parse(row.submitted_at)).toBeGreaterThanOrEqual(before);
    expect(Object.keys(row)).not.toContain('private_note');
    expect(await standing(person)).toEqual({ kyc_status: 'pending', attempts: 1, acts: 1 });
  });

  test('CALL-59, KYC-25, ENT-30: the pending one is read by its user, and stands as approved or rejected once it is decided', async () => {
    const [person, stranger] = [await trader(), await trader()];
    const of = async ({ client }: Person, status: 'pending' | 'approved' | 'rejected') => {
      const asked = client.from('kyc_verifications').select('user_id, status').eq('status', status);
      return (await asked.eq('user_id', person.userId).throwOnError()).data;
    };
    const row = { user_id: person.userId };
    for (const decision of ['rejected', 'approved'] as const) {
      await upload(person);
      await submit(person).throwOnError();
      expect(await of(person, 'pending')).toEqual([{ ...row, status: 'pending' }]);
      expect(await of(stranger, 'pending')).toEqual([]);
      await decide(person, decision, decision === 'rejected' ? 'retry' : null);
      expect(await of(person, 'pending')).toEqual([]);
      expect(await of(person, decision)).toEqual([{ ...row, status: decision }]);
    }
    for (const status of ['withdrawn', 'approved']) {
      expect((await submit(stranger, { status })).status).toBe(400);
    }
  });

  test('each attempt is announced to its person once, however often it is repeated', async () => {
    const person = await trader();
    await upload(person);
    const announced: unknown[] = [];
    const channel = person.client.channel(`user:${person.userId}`, { config: { private: true } });
    const asked = { event: '*', schema: 'public', table: 'kyc_verifications' } as const;
    channel.on('postgres_changes', asked, ({ eventType, new: row }) => announced.push({ eventType, row }));
    await new Promise<void>((resolve) => {
      channel.subscribe((status) => status === 'SUBSCRIBED' && resolve());
    });
    const client_id = randomUUID();
    for (const _ of [1, 2]) await submit(person, { client_id }).throwOnError();
    await decide(person, 'rejected', 'retry');
    await upload(person, [3, 4, 5]);
    await submit(person).throwOnError();
    await eventually(() => expect(announced.length).toBeGreaterThan(1));
    expect(announced).toMatchObject([
      { eventType: 'INSERT', row: { status: 'pending', attempt: 1, user_id: person.userId } },
      { eventType: 'INSERT', row: { status: 'pending', attempt: 2 } },
    ]);
  });

  test('a repeat with the same client_id is the same attempt, also at the same time; other fields are refused', async () => {
    const person = await trader();
    await upload(person);
    const client_id = randomUUID();
    const answers = await Promise.all(
      [1, 2, 3].map(() => submit(person, { client_id }).select('id, attempt').single().throwOnError()),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const other = await submit(person, { client_id, city: 'Leeds' });
    expect({ status: other.status, code: other.error?.code }).toEqual({
      status: 409,
      code: 'idempotency_conflict',
    });
    expect(await standing(person)).toMatchObject({ attempts: 1, acts: 1 });
  });

  test('A57: of two at once one is taken; the other hears that one is under review', async () => {
    const person = await trader();
    await upload(person);
    const outcomes = await Promise.all([submit(person), submit(person)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = outcomes.find(({ error }) => error !== null);
    expect(refused?.error?.message).toBe('A verification is already under review.');
    expect(await standing(person)).toEqual({ kyc_status: 'pending', attempts: 1, acts: 1 });
  });

  test('an attempt keeps the pictures it was made with, whatever is uploaded afterwards', async () => {
    const person = await trader();
    await upload(person);
    await submit(person).throwOnError();
    await upload(person, [3, 4, 5]);
    const { rows } = await server.db.query<{ version: number }>(
      `select f.version from app.kyc_verifications k
       join app.files f on f.id in (k.document_front_file, k.document_back_file, k.selfie_file) where k.user_id = $1`,
      [person.userId],
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 1, 1]);
  });
});

describe('another attempt', () => {
  test('A57: after a rejection a new row with new pictures; the old one stays as it is', async () => {
    const person = await trader();
    await upload(person);
    await submit(person).throwOnError();
    await decide(person, 'rejected', 'retry');
    // KYC-09: those of the attempt before do not count again, not even one of them.
    const stale = await submit(person);
    expect(stale.error).toMatchObject({ message: 'Please upload all required documents' });
    await uploadOne(person, 'document_front', 3);
    await uploadOne(person, 'document_back', 4);
    const oneStale = await submit(person);
    expect(oneStale.error).toMatchObject({
      message: 'Please upload all required documents',
      details: 'selfie is the one of the attempt before',
    });
    await uploadOne(person, 'selfie', 2);
    await submit(person, { city: 'Leeds' }).throwOnError();
    const { data } = await person.client
      .from('kyc_verifications')
      .select('attempt, status, city')
      .order('attempt')
      .throwOnError();
    expect(data).toEqual([
      { attempt: 1, status: 'rejected', city: 'London' },
      { attempt: 2, status: 'pending', city: 'Leeds' },
    ]);
    expect(await standing(person)).toMatchObject({ kyc_status: 'pending' });
  });

  test('A63: after a final rejection there is none', async () => {
    const person = await trader();
    await upload(person);
    await submit(person).throwOnError();
    await decide(person, 'rejected', 'final');
    await upload(person, [3, 4, 5]);
    const { status, error } = await submit(person);
    expect({ status, message: error?.message }).toEqual({
      status: 403,
      message: 'Your verification was declined. Please contact support.',
    });
  });

  test('somebody verified submits nothing', async () => {
    const person = await trader();
    await upload(person);
    await submit(person).throwOnError();
    await decide(person, 'approved', null);
    await upload(person, [3, 4, 5]);
    const { status, error } = await submit(person);
    expect({ status, message: error?.message }).toEqual({ status: 409, message: texts.kycVerified });
  });
});

describe('what is refused leaves nothing behind', () => {
  let person: Person;
  beforeAll(async () => {
    person = await trader();
    await upload(person);
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
    const { status, error } = await submit(person, over);
    expect({ status, message: error?.message }).toEqual({ status: 400, message });
    expect(await standing(person)).toEqual(untouched);
  });

  test('KYC-08: another document type', async () => {
    const { status } = await submit(person, { document_type: 'library_card' });
    expect(status).toBe(400);
    expect(await standing(person)).toEqual(untouched);
  });

  test('another path, another’s path, another’s name', async () => {
    const other = await trader();
    const refusals = [
      await submit(person, { document_front_url: `${person.userId}/selfie.jpg` }),
      await submit(person, { document_front_url: `${other.userId}/document_front.jpg` }),
      await submit(person, { user_id: other.userId }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 403]);
    expect([await standing(person), await standing(other)]).toEqual([untouched, untouched]);
  });

  test('several rows at once', async () => {
    const { status } = await person.client
      .from('kyc_verifications')
      .insert([fieldsOf(person), fieldsOf(person)]);
    expect(status).toBe(400);
    expect(await standing(person)).toEqual(untouched);
  });

  test.each(kycPictures)('KYC-09: without a picture at %s', async (missing) => {
    const someone = await trader();
    for (const [index, which] of kycPictures.entries()) {
      if (which !== missing) await uploadOne(someone, which, index);
    }
    const { status, error } = await submit(someone);
    expect({ status, message: error?.message }).toEqual({
      status: 400,
      message: 'Please upload all required documents',
    });
    expect(await standing(someone)).toEqual(untouched);
  });

  test('the same picture for two', async () => {
    const someone = await trader();
    await upload(someone, [0, 1, 0]);
    const { status, error } = await submit(someone);
    expect({ status, message: error?.message }).toEqual({ status: 400, message: texts.kycSamePicture });
    expect(await standing(someone)).toEqual(untouched);
  });

  test('staff, and nobody at all', async () => {
    const client = server.client() as Client;
    expect((await submit({ client, userId: person.userId })).status).toBe(401);
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
