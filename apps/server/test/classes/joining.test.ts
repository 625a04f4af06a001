/** Who becomes a member of a class, by an admin, an invitation and an import (A112, A117). */
import { randomUUID } from 'node:crypto';
import { classMembersMax, dayMs } from '@fulcrum/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeStaffLock } from '../../src/features/identity/index.ts';
import { testPassword } from '../harness/index.ts';
import type { TestUser } from '../trading/trading-server.ts';
import { type ClassFloor, type SavedClass, startClassFloor } from './class-floor.ts';

let school: ClassFloor;
let floor: ClassFloor['floor'];
beforeAll(async () => {
  school = await startClassFloor();
  floor = school.floor;
});
afterAll(() => floor.close());

const endClass = (id: string) =>
  floor.db.query('update app.classes set begins_at = $2, ends_at = $3 where id = $1', [
    ...[id, school.iso(-2 * dayMs), school.iso(0)],
  ]);
const ended = expect.stringMatching(
  /^The class ended on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. It takes no more members\.$/,
);

const invite = async (classId: string, more: Record<string, unknown> = {}) =>
  (
    await floor.admin.client
      .rpc('create_invitation', { p_uses_max: 1, p_days: 1, p_class_id: classId, ...more })
      .throwOnError()
  ).data;

async function register(code: string) {
  const client = floor.client();
  const username = randomUUID().slice(0, 13);
  const { data, error } = await client.auth.signUp({
    email: `${username}@example.test`,
    password: testPassword,
    options: { data: { username, phone_number: '+12025550101', invitation_code: code } },
  });
  return { client, id: data.user?.id ?? '', refusal: error?.message ?? null };
}

const row = (more: Record<string, string>) => ({
  ...{ email: `${randomUUID()}@example.test`, username: '', role: '', manager: '', start_balance: '' },
  ...{ phone: '', class: '', ...more },
});
async function importRows(...rows: readonly ReturnType<typeof row>[]): Promise<[string, string | null][]> {
  const { data } = await floor.admin.client
    .rpc('import_users', {
      ...{ p_import_id: randomUUID(), p_rows_in_all: rows.length, p_links: 'file', p_rows: rows },
    })
    .throwOnError();
  return data.rows.map((one: Record<string, unknown>) => [one.verdict, one.message]);
}

/** Fills the class with traders who are not there otherwise. */
const fill = (classId: string) =>
  floor.db.query(
    `with traders as (
       insert into app.users (email, username, role) select 'm' || n || '-' || $1 || '@example.test', 'm' || n || '-' || left($1, 8), 'trader'
       from generate_series(1, ${classMembersMax}) n returning id)
     insert into app.trading_accounts (id, owner_id, kind, class_id, name, rules, leverage_max, fee_rate, fill_profile, start_balance,
       created_at, updated_at)
     select overlay(gen_random_uuid()::text placing right(id::text, 2) from 35)::uuid, id, 'class', $1::uuid, 'Class', 'standard', 10, 0, 'exact', 5000, now(), now() from traders`,
    [classId],
  );

describe('who joins', () => {
  test('a trader whose role changes while the request waits is refused', async () => {
    const made = await school.save();
    const trader = await floor.addUser('trader');
    let pending: Promise<unknown> | undefined;
    await floor.db.transaction(async (tx) => {
      await takeStaffLock(tx);
      pending = school.add(made.id, trader);
      const waiting = () =>
        floor.db.query(`select from pg_locks where locktype = 'advisory' and not granted`);
      await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
      await tx.query(`update app.users set role = 'support' where id = $1`, [trader.id]);
    });
    expect(await pending).toEqual([
      expect.objectContaining({ outcome: 'refused', message: 'Only a trader joins a class.' }),
    ]);
    expect(await school.accountIn(made.id, trader.id)).toBe('');
  });

  test('an account is named after the class; a trader who has both names renames one', async () => {
    const made = await school.save();
    const open = (trader: TestUser, p_name: string) =>
      trader.client.rpc('create_account', { p_name }).throwOnError();
    const [one, both] = [await floor.addUser('trader'), await floor.addUser('trader')];
    const second = `${made.name.slice(0, 30)} ${made.id.slice(0, 8)}`;
    for (const trader of [one, both]) await open(trader, made.name.toUpperCase());
    await open(both, second);
    expect((await school.add(made.id, one, both)).map(({ outcome, message }) => [outcome, message])).toEqual([
      ['done', null],
      ['refused', 'This trader has accounts with the name of the class. Rename one of them first.'],
    ]);
    const { rows } = await floor.db.query('select name from app.trading_accounts where id = $1', [
      await school.accountIn(made.id, one.id),
    ]);
    expect(rows).toEqual([{ name: second }]);
  });

  test('a full class takes no more, and stops no other row of an import', async () => {
    const made = await school.save();
    await fill(made.id);
    const refusal = `${made.name} has ${classMembersMax} members. It takes no more.`;
    const outsider = row({ class: made.name });
    expect(await importRows(outsider, row({}))).toEqual([
      ['refused', refusal],
      ['created', null],
    ]);
    const { rowCount } = await floor.db.query('select from app.users where email = $1', [outsider.email]);
    expect(rowCount).toBe(0);
    expect((await school.add(made.id, await floor.addUser('trader')))[0]!.message).toBe(refusal);
    expect((await register((await invite(made.id)).code)).refusal).toBe(refusal);
  });
});

describe('a class that ended takes no one', () => {
  test('by whatever way; who is a member stays one', async () => {
    const made = await school.save();
    const [member, former] = [await floor.addUser('trader'), await floor.addUser('trader')];
    await school.add(made.id, member, former);
    await floor.admin.client
      .rpc('remove_class_members', { p_class_id: made.id, p_user_ids: [former.id] })
      .throwOnError();
    const { code } = await invite(made.id);
    await endClass(made.id);

    const outcomes = await school.add(made.id, member, former, await floor.addUser('trader'));
    expect(outcomes.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['unchanged', null],
      ['refused', ended],
      ['refused', ended],
    ]);
    expect(await importRows(row({ class: made.name }))).toEqual([['refused', ended]]);
    expect((await register(code)).refusal).toEqual(ended);
    const { error } = await floor.client().rpc('get_invitation', { p_code: code });
    expect([error?.code, error?.message]).toEqual(['class_over', ended]);
    const another = await floor.admin.client.rpc('create_invitation', {
      ...{ p_uses_max: 1, p_days: 1, p_class_id: made.id },
    });
    expect(another.error?.message).toEqual(ended);
  });
});

describe('joining by enrolment', () => {
  test('an invitation of a class brings the member in, with the money of the class beside that of the invitation', async () => {
    const made = await school.save();
    const invitation = await invite(made.id, { p_start_balance: 7 });
    expect(invitation).toMatchObject({ class_id: made.id, class_name: made.name });
    const { data: seen } = await floor.client().rpc('get_invitation', { p_code: invitation.code });
    expect(seen.class_name).toBe(made.name);
    const { client: guest, id, refusal } = await register(invitation.code);
    expect(refusal).toBeNull();
    expect((await guest.from('wallets').select('balance').single()).data).toEqual({ balance: 7 });
    const client = await school.inClass(made.id, { id, client: guest });
    expect((await client.from('wallets').select('balance').single()).data).toEqual({ balance: 5000 });
    expect(await floor.audit(id)).toEqual([
      expect.objectContaining({
        ...{ action: 'class.add_member', actor_id: id },
        detail: { account_id: await school.accountIn(made.id, id) },
      }),
    ]);
  });

  test('an import names the class; an unknown one is refused', async () => {
    const made = await school.save();
    const imported = row({ class: made.name.toUpperCase() });
    expect(await importRows(imported, row({ class: 'Nowhere' }))).toEqual([
      ['created', null],
      ['refused', 'There is no class Nowhere.'],
    ]);
    const { data: listed } = await floor.admin.client.rpc('list_classes').throwOnError();
    expect(listed.find(({ id }: SavedClass) => id === made.id).members).toBe(1);
    const { rows } = await floor.db.query<{ id: string }>('select id from app.users where email = $1', [
      imported.email,
    ]);
    expect((await floor.audit(rows[0]!.id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['user.create', floor.admin.id],
      ['class.add_member', floor.admin.id],
    ]);
  });
});
