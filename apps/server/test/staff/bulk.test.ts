/** Bulk actions on accounts with their preview, on users and on members of a class (A72, A112). */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { dayMs } from '@fulcrum/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClassFloor, startClassFloor } from '../classes/class-floor.ts';
import { testPassword } from '../harness/index.ts';
import type { TestUser } from '../trading/trading-server.ts';

type Functions = Database['public']['Functions'];
type Args<Name extends keyof Functions> = Functions[Name]['Args'];

let school: ClassFloor;
let floor: ClassFloor['floor'];
beforeAll(async () => {
  school = await startClassFloor();
  floor = school.floor;
});
afterAll(() => floor.close());

const ids = (...users: readonly Pick<TestUser, 'id'>[]) => users.map(({ id }) => id);
async function runBulk<Name extends 'adjust_funds_of_users' | 'reset_users' | 'invite_users_again'>(
  name: Name,
  args: Partial<Args<Name>>,
): Promise<Functions[Name]['Returns']['rows']> {
  return (
    await floor.admin.client
      .rpc(name, { p_reason: 'Term begins', p_client_id: randomUUID(), ...args } as never)
      .throwOnError()
  ).data.rows;
}
const preview = async (
  args: Args<'preview_bulk_action'>,
): Promise<Functions['preview_bulk_action']['Returns']> =>
  (await floor.admin.client.rpc('preview_bulk_action', args).throwOnError()).data;
const outcomes = (rows: readonly { readonly outcome: string }[]) => rows.map(({ outcome }) => outcome);
async function balanceOf(accountId: string): Promise<number> {
  const { rows } = await floor.db.query<{ balance: number }>(
    'select (available_balance + margin + order_margin)::float8 as balance from app.wallets where user_id = $1',
    [accountId],
  );
  return rows[0]?.balance ?? Number.NaN;
}
const entriesOf = async (userId: string, action: string) =>
  (
    await floor.db.query<{ reason: string; detail: Record<string, unknown> }>(
      'select reason, detail from app.audit_log where subject_id = $1 and action = $2 order by id',
      [userId, action],
    )
  ).rows;
const unknownId = () => randomUUID();

describe('funds', () => {
  test('are added to each, with an audit row and a notification, and a repeat adds nothing', async () => {
    const [ann, ben] = [await floor.addUser('trader'), await floor.addUser('trader')];
    const before = await balanceOf(ann.id);
    const args = {
      p_user_ids: [...ids(ann, ben, school.tutor), unknownId()],
      p_change: 'add' as const,
      p_amount: '250.5',
    };
    const shown = await preview({
      p_user_ids: args.p_user_ids,
      p_action: { kind: 'funds', change: 'add', amount: '250.5' },
    });
    expect(shown.rows.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['done', null],
      ['done', null],
      ['refused', 'This is possible for traders only.'],
      ['refused', 'User not found'],
    ]);
    expect(shown.balances).toEqual({
      ...{ before: 2 * before, after: 2 * before + 501 },
      ...{ lowest_after: before + 250.5, highest_after: before + 250.5 },
    });
    expect(await balanceOf(ann.id)).toBe(before);

    const command = { ...args, p_client_id: 'a-bulk' };
    const rows = await runBulk('adjust_funds_of_users', command);
    expect(outcomes(rows)).toEqual(outcomes(shown.rows));
    expect(rows.map(({ message }) => message)).toEqual(shown.rows.map(({ message }) => message));
    expect(await runBulk('adjust_funds_of_users', command)).toEqual(rows);
    expect(await balanceOf(ann.id)).toBe(before + 250.5);
    expect(await entriesOf(ann.id, 'funds.adjust')).toMatchObject([
      { reason: 'Term begins', detail: { amount: 250.5, before: { balance: before } } },
    ]);
    const other = await runBulk('adjust_funds_of_users', { ...command, p_amount: 9 });
    expect(outcomes(other)).toEqual(['refused', 'refused', 'refused', 'refused']);
    expect(await balanceOf(ben.id)).toBe(before + 250.5);
  });

  test('are set to one balance, whatever is bound as margin; who has it is unchanged, who is bound to more refused', async () => {
    const [cem, dan, eva] = await Promise.all([1, 2, 3].map(() => floor.addUser('trader')));
    await floor.open(dan!, {});
    const set = (amount: number) => ({ kind: 'funds', change: 'set', amount }) as const;
    await runBulk('adjust_funds_of_users', { p_user_ids: ids(eva!), p_change: 'set', p_amount: 5000 });
    const shown = await preview({ p_user_ids: ids(cem!, dan!, eva!), p_action: set(5000) });
    expect(outcomes(shown.rows)).toEqual(['done', 'done', 'unchanged']);
    expect(shown.balances).toMatchObject({ after: 10_000, lowest_after: 5000, highest_after: 5000 });
    const command = {
      p_user_ids: ids(cem!, dan!, eva!),
      p_change: 'set',
      p_amount: 5000,
      p_client_id: 'set',
    } as const;
    const rows = await runBulk('adjust_funds_of_users', command);
    expect(outcomes(rows)).toEqual(['done', 'done', 'unchanged']);
    expect(await runBulk('adjust_funds_of_users', command)).toEqual(rows);
    for (const user of [cem!, dan!, eva!]) expect(await balanceOf(user.id)).toBe(5000);

    const low = await preview({ p_user_ids: ids(cem!, dan!), p_action: set(0) });
    expect(outcomes(low.rows)).toEqual(['done', 'refused']);
    expect(low.rows[1]!.message).toMatch(/available/);
    const lowered = await runBulk('adjust_funds_of_users', {
      p_user_ids: ids(dan!),
      p_change: 'set',
      p_amount: 0,
    });
    expect(lowered).toMatchObject([{ outcome: 'refused', message: low.rows[1]!.message }]);
  });

  test('reach the accounts of a class only, where one is named', async () => {
    const [fay, gus] = [await floor.addUser('trader'), await floor.addUser('trader')];
    const made = await school.save();
    await school.add(made.id, fay);
    const main = await balanceOf(fay.id);
    const rows = await runBulk('adjust_funds_of_users', {
      ...{ p_user_ids: ids(fay, gus), p_class_id: made.id, p_change: 'subtract', p_amount: 1000 },
    });
    expect(rows.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['done', null],
      ['refused', 'This user is no member of the class.'],
    ]);
    expect(await balanceOf(await school.accountIn(made.id, fay.id))).toBe(4000);
    expect(await balanceOf(fay.id)).toBe(main);
  });

  test.each([
    [{ p_amount: -1 }, 'funds_amount_invalid'],
    [{ p_reason: ' ' }, 'reason_required'],
  ])('a whole request is refused: %j', async (more, code) => {
    const { error } = await floor.admin.client.rpc('adjust_funds_of_users', {
      ...{ p_user_ids: [unknownId()], p_change: 'add', p_amount: 1, p_reason: 'x', ...more },
    });
    expect(error?.code).toBe(code);
  });
});

describe('a reset', () => {
  test('A102: closes what is open, books to the start balance and notifies; a restricted one is refused', async () => {
    const [hal, ivy] = [await floor.addUser('trader'), await floor.addUser('trader')];
    const made = await school.save();
    await school.add(made.id, hal, ivy);
    const inClass = await school.inClass(made.id, hal);
    await inClass
      .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 10 })
      .throwOnError();
    const halAccount = await school.accountIn(made.id, hal.id);
    await runBulk('adjust_funds_of_users', {
      ...{ p_user_ids: ids(hal), p_class_id: made.id, p_change: 'add', p_amount: 700 },
    });
    await floor.admin.client
      .rpc('restrict_user', { p_user_id: ivy.id, p_restricted: true, p_reason: 'A check' })
      .throwOnError();
    const named = { p_user_ids: ids(hal, ivy), p_class_id: made.id };
    const shown = await preview({ ...named, p_action: { kind: 'reset' } });
    expect(outcomes(shown.rows)).toEqual(['done', 'refused']);
    expect(shown.balances).toMatchObject({ after: 5000 });
    const rows = await runBulk('reset_users', { ...named, p_client_id: 'reset' });
    expect(rows).toEqual(shown.rows);
    expect(await runBulk('reset_users', { ...named, p_client_id: 'reset' })).toEqual(rows);
    expect(await balanceOf(halAccount)).toBe(5000);
    const { rows: open } = await floor.db.query(
      `select from app.positions where user_id = $1 and status = 'open'`,
      [halAccount],
    );
    expect(open).toHaveLength(0);
    expect(await entriesOf(hal.id, 'account.reset')).toMatchObject([{ reason: 'Term begins' }]);
    const { rows: notices } = await floor.db.query(
      `select message from app.notifications where user_id = $1 and kind = 'account_reset'`,
      [halAccount],
    );
    expect(notices).toEqual([{ message: expect.stringMatching(/^Our staff reset your account/) }]);
  });
});

describe('moving to another class', () => {
  const move = async (from: string, to: string, ...users: readonly TestUser[]) =>
    (
      await floor.admin.client
        .rpc('add_class_members', {
          ...{ p_class_id: to, p_from_class_id: from, p_user_ids: ids(...users), p_reason: 'Wrong group' },
        })
        .throwOnError()
    ).data.rows;

  test('closes the one account and opens the other in one step; who trades stays', async () => {
    const [jan, kim, leo] = await Promise.all([1, 2, 3].map(() => floor.addUser('trader')));
    const [from, to] = [await school.save(), await school.save()];
    await school.add(from.id, jan!, kim!);
    const inClass = await school.inClass(from.id, kim!);
    await inClass
      .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 10 })
      .throwOnError();
    const expected = [
      ['done', null],
      ['refused', 'Something is open in the account of this class.'],
      ['refused', 'This user is no member of the class to move from.'],
    ];
    const shown = await preview({
      ...{
        p_user_ids: ids(jan!, kim!, leo!),
        p_class_id: from.id,
        p_action: { kind: 'class', class_id: to.id },
      },
    });
    expect(shown.rows.map(({ outcome, message }) => [outcome, message])).toEqual(expected);
    const rows = await move(from.id, to.id, jan!, kim!, leo!);
    expect(
      rows.map(({ outcome, message }: { outcome: string; message: string | null }) => [outcome, message]),
    ).toEqual(expected);
    expect(outcomes(await move(from.id, to.id, jan!))).toEqual(['unchanged']);
    const { rows: accounts } = await floor.db.query(
      `select class_id = $2 as "isNew", status from app.trading_accounts where owner_id = $1 and class_id is not null order by 1`,
      [jan!.id, to.id],
    );
    expect(accounts).toEqual([
      { isNew: false, status: 'archived' },
      { isNew: true, status: 'active' },
    ]);
    expect(await entriesOf(jan!.id, 'class.remove_member')).toMatchObject([{ reason: 'Wrong group' }]);
    expect(await school.accountIn(to.id, leo!.id)).toBe('');
  });

  test('an ended class takes no one, as in the preview', async () => {
    const mia = await floor.addUser('trader');
    const ended = await school.save({ p_begins_at: school.iso(-2 * dayMs), p_ends_at: school.iso(-dayMs) });
    const shown = await preview({ p_user_ids: ids(mia), p_action: { kind: 'class', class_id: ended.id } });
    expect(shown.rows[0]).toMatchObject({
      outcome: 'refused',
      message: expect.stringMatching(/^The class ended/),
    });
    expect((await school.add(ended.id, mia))[0]).toMatchObject({ message: shown.rows[0]!.message });
  });
});

describe('inviting again', () => {
  async function importOne(): Promise<{ id: string; email: string; link: string }> {
    const email = `${randomUUID()}@example.test`;
    const row = { email, username: '', role: '', manager: '', start_balance: '', phone: '', class: '' };
    const { data } = await floor.admin.client
      .rpc('import_users', {
        ...{ p_import_id: randomUUID(), p_rows_in_all: 1, p_links: 'file', p_rows: [row] },
      })
      .throwOnError();
    const { rows } = await floor.db.query<{ id: string }>('select id from app.users where email = $1', [
      email,
    ]);
    return { id: rows[0]!.id, email, link: data.rows[0].link };
  }
  const use = (link: string) =>
    floor.client().auth.verifyOtp({
      ...{ type: 'recovery', token_hash: new URL(link).searchParams.get('token_hash') ?? '' },
    });

  test('gives a fresh link to who never signed in, in a repeat a new one; others are refused', async () => {
    const [nia, owen] = [await importOne(), await floor.addUser('trader')];
    const { error: signedIn } = await floor
      .client()
      .auth.signInWithPassword({ email: owen.email, password: testPassword });
    expect(signedIn).toBeNull();
    const named = { p_user_ids: ids(nia, owen, floor.admin) };
    const shown = await preview({ ...named, p_action: { kind: 'invite' } });
    expect(outcomes(shown.rows)).toEqual(['done', 'refused', 'refused']);
    const command = { ...named, p_links: 'file', p_client_id: 'again' } as const;
    const first = await runBulk('invite_users_again', command);
    expect(outcomes(first)).toEqual(['done', 'refused', 'refused']);
    expect(first[1]).toMatchObject({ message: 'This user has signed in already.', link: null, email: null });
    const second = await runBulk('invite_users_again', command);
    expect(second[0]!.link).not.toBe(first[0]!.link);
    expect((await use(first[0]!.link!)).error).not.toBeNull();
    const { data, error } = await use(second[0]!.link!);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(nia.id);
    expect(await entriesOf(nia.id, 'user.invite_again')).toHaveLength(2);
  });

  test('queues one mail however often it is repeated', async () => {
    const pia = await importOne();
    const command = { p_user_ids: ids(pia), p_links: 'mail', p_client_id: 'mail' } as const;
    const rows = await runBulk('invite_users_again', command);
    expect(rows).toMatchObject([{ outcome: 'done', email: pia.email, link: null }]);
    expect(await runBulk('invite_users_again', command)).toEqual(rows);
    expect(await entriesOf(pia.id, 'user.invite_again')).toMatchObject([
      { reason: 'Term begins', detail: { links: 'mail' } },
    ]);
  });
});

test('a preview of a restriction marks who is restricted already', async () => {
  const [quin, rob] = [await floor.addUser('trader'), await floor.addUser('trader')];
  await floor.admin.client
    .rpc('restrict_user', { p_user_id: rob.id, p_restricted: true, p_reason: 'A check' })
    .throwOnError();
  const shown = await preview({ p_user_ids: ids(quin, rob, floor.admin), p_action: { kind: 'restrict' } });
  expect(outcomes(shown.rows)).toEqual(['done', 'unchanged', 'refused']);
  expect(shown.balances).toBeNull();
});
