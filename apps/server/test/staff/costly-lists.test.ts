/** Threat: lists over a whole firm take long; asked for many times at once they hold the connections that trading needs. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Floor, type Person, startFloor } from '../trading/floor.ts';

const asked = 20;

let floor: Floor;
let admins: Person[];
let trader: Person;
beforeAll(async () => {
  floor = await startFloor();
  admins = [floor.admin, await floor.person('admin'), await floor.person('admin')];
  trader = await floor.person('trader');
});
afterAll(() => floor.close());

test('ADMIN-81, OPEN-01: while sixty lists of three admins last, orders go through and the server says that it is well', async () => {
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  // Within one transaction the statistics stand still.
  const watcher = new pg.Client({ connectionString: floor.databaseUrl });
  await Promise.all([owner.connect(), watcher.connect()]);
  let lists: ReturnType<Floor['call']>[] = [];
  try {
    await owner.query('begin');
    // Only wallets are held against it.
    await owner.query('lock table app.checkpoint_balances in access exclusive mode');
    lists = admins.flatMap((admin) =>
      Array.from({ length: asked }, (_, n) => floor.call(admin, 'list_wallets', { p_page: n + 1 })),
    );
    // Three of each, but no more than eight.
    const waiting = async () => {
      const { rows } = await watcher.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0]?.count;
    };
    await expect.poll(waiting, { timeout: 20_000 }).toBe(8);
    const { id } = await floor.open(trader);
    expect(await floor.call(trader, 'close_position', { p_position_id: id })).toMatchObject({ status: 200 });
    expect(await floor.wallet(trader)).toMatchObject({ balance: 10_000 });
    expect((await fetch(`${floor.server.url}/health`)).status).toBe(200);
  } finally {
    await Promise.all([owner.end(), watcher.end()]);
  }
  const answers = await Promise.all(lists);
  expect(answers.map(({ status }) => status)).toEqual(Array(asked * admins.length).fill(200));
});
