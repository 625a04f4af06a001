/** A115: playbooks of a trader through the real server, with the official client. */
import { randomUUID } from 'node:crypto';
import { playbookFaults, playbookLimits } from '@fulcrum/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { server, shareTestServer, type Trader } from '../harness/index.ts';

let trader: Trader;
shareTestServer();
beforeEach(async () => {
  trader = await server.signUpTrader();
});

const criteria = ['With the trend', 'Volume above average'];
async function playbook({ client }: Trader, more: Record<string, unknown> = {}): Promise<string> {
  const row = { id: randomUUID(), name: 'Retest', criteria, ...more };
  await client.from('playbooks').insert(row).throwOnError();
  return row.id;
}

/** Closes at that price what was opened at 60,000. */
async function trade({ client }: Trader, to: string): Promise<string> {
  server.feed.setPrice('BTCUSDT', '60000');
  const terms = {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 10,
    p_stop_loss_price: 59_000,
  };
  const { data } = await client.rpc('open_position', terms).throwOnError();
  server.feed.setPrice('BTCUSDT', to);
  await client.rpc('close_position', { p_position_id: data.id }).throwOnError();
  return data.id;
}

const answer = ({ client }: Trader, row: Record<string, unknown>) =>
  client.from('playbook_trades').upsert(row, { onConflict: 'user_id,position_id' });
const results = async ({ client }: Trader) => (await client.rpc('get_playbook_results').throwOnError()).data;
async function netOf(id: string): Promise<number> {
  const { rows } = await server.db.query<{ net: string }>(
    'select realized_pnl - fees + funding as net from app.positions where id = $1',
    [id],
  );
  return Number(rows[0]?.net);
}
const round8 = (value: number) => Math.round(value * 1e8) / 1e8;

test('expectancy of a playbook and of its criteria, from the rows of the trades', async () => {
  const id = await playbook(trader);
  const [won, lost] = [await trade(trader, '60500'), await trade(trader, '59500')];
  const [met, other] = criteria;
  await answer(trader, { position_id: won, playbook_id: id, met: criteria }).throwOnError();
  await answer(trader, { position_id: lost, playbook_id: id, met: [other], unmet: [met] }).throwOnError();
  const [a, b] = [await netOf(won), await netOf(lost)];
  const found = await results(trader);
  expect(found).toMatchObject({ needed: 10, truncated: false });
  // The stop at 59,000 risks 10 USDT of 0.01 BTC.
  expect(found.playbooks).toEqual([
    {
      playbook_id: id,
      all: { trades: 2, net: round8((a + b) / 2), r: expect.closeTo((a + b) / 20, 6), r_trades: 2 },
      criteria: [
        {
          criterion: met,
          met: { trades: 1, net: a, r: expect.closeTo(a / 10, 6), r_trades: 1 },
          unmet: { trades: 1, net: b, r: expect.closeTo(b / 10, 6), r_trades: 1 },
        },
        {
          criterion: other,
          met: { trades: 2, net: round8((a + b) / 2), r: expect.closeTo((a + b) / 20, 6), r_trades: 2 },
          unmet: { trades: 0, net: null, r: null, r_trades: 0 },
        },
      ],
    },
  ]);
});

test('a reworded criterion has no trades of before; another answer replaces the first one', async () => {
  const id = await playbook(trader);
  const position_id = await trade(trader, '60500');
  await answer(trader, { position_id, playbook_id: id, met: criteria }).throwOnError();
  await answer(trader, { position_id, playbook_id: id, met: [], unmet: criteria }).throwOnError();
  await trader.client
    .from('playbooks')
    .update({ criteria: ['With the trend', 'A lot of volume'] })
    .eq('id', id)
    .throwOnError();
  const [only] = (await results(trader)).playbooks;
  expect(only.all.trades).toBe(1);
  expect(only.criteria).toMatchObject([
    { criterion: 'With the trend', met: { trades: 0 }, unmet: { trades: 1 } },
    { criterion: 'A lot of volume', met: { trades: 0 }, unmet: { trades: 0 } },
  ]);
});

test('a playbook goes with its answers, and the trade stays', async () => {
  const id = await playbook(trader);
  const position_id = await trade(trader, '60500');
  await answer(trader, { position_id, playbook_id: id, met: criteria }).throwOnError();
  await trader.client.from('playbooks').delete().eq('id', id).throwOnError();
  expect((await trader.client.from('playbook_trades').select('position_id').throwOnError()).data).toEqual([]);
  expect((await trader.client.from('positions').select('id').throwOnError()).data).toEqual([
    { id: position_id },
  ]);
  expect((await results(trader)).playbooks).toEqual([]);
});

test('the deletion of a user takes playbooks and answers with it', async () => {
  const id = await playbook(trader);
  const position_id = await trade(trader, '60500');
  await answer(trader, { position_id, playbook_id: id, met: criteria }).throwOnError();
  const admin = await server.signUpTrader();
  await server.db.query(`update app.users set role = 'admin' where id = $1`, [admin.userId]);
  await admin.client.auth.refreshSession();
  await admin.client
    .rpc('delete_user_with_data', { p_user_id: trader.userId, p_reason: 'a test' })
    .throwOnError();
  const { rows } = await server.db.query(
    `select (select count(*)::int from app.playbooks where user_id = $1) as playbooks,
            (select count(*)::int from app.playbook_trades where user_id = $1) as answers`,
    [trader.userId],
  );
  expect(rows).toEqual([{ playbooks: 0, answers: 0 }]);
});

describe('refusals', () => {
  test('names and criteria have limits, with the words of the product', async () => {
    const insert = (row: Record<string, unknown>) =>
      trader.client.from('playbooks').insert({ id: randomUUID(), name: 'a', criteria: [], ...row });
    const { nameChars, criterionChars, criteria: most } = playbookLimits;
    const many = Array.from({ length: most + 1 }, (_, n) => `${n}`);
    for (const [row, message] of [
      [{ name: ' ' }, playbookFaults.name],
      [{ name: 'a'.repeat(nameChars + 1) }, playbookFaults.name],
      [{ criteria: many }, playbookFaults.criteria],
      [{ criteria: ['a', 'a'] }, playbookFaults.criteria],
      [{ criteria: [' '] }, playbookFaults.criteria],
      [{ criteria: ['a'.repeat(criterionChars + 1)] }, playbookFaults.criteria],
    ] as const) {
      const { error, status } = await insert(row);
      expect([status, error?.message]).toEqual([400, message]);
    }
    expect((await insert({ criteria: many.slice(1), name: 'a'.repeat(nameChars) })).error).toBeNull();
  });

  test('an account has a number of playbooks; a repeated save is none more', async () => {
    const rows = Array.from({ length: playbookLimits.playbooks }, (_, n) => ({
      id: randomUUID(),
      name: `${n}`,
    }));
    await trader.client.from('playbooks').insert(rows).throwOnError();
    const another = await trader.client.from('playbooks').insert({ id: randomUUID(), name: 'one more' });
    expect(another.error?.message).toBe(playbookFaults.full);
    const again = { ...rows[0], name: 'again' };
    await trader.client.from('playbooks').upsert(again, { onConflict: 'user_id,id' }).throwOnError();
  });

  test('a criterion is met or not; a position and a playbook are one’s own', async () => {
    const other = await server.signUpTrader();
    const [own, foreign] = [await playbook(trader), await playbook(other)];
    const position_id = await trade(trader, '60500');
    const foreignTrade = await trade(other, '60500');
    const both = await answer(trader, { position_id, playbook_id: own, met: ['a'], unmet: ['a'] });
    expect(both.error?.message).toBe(playbookFaults.answers);
    const taken = await answer(trader, { position_id: foreignTrade, playbook_id: own });
    expect([taken.status, taken.error?.message]).toEqual([409, playbookFaults.position]);
    expect((await answer(trader, { position_id, playbook_id: foreign })).error).not.toBeNull();
    expect((await trader.client.from('playbooks').select('id').throwOnError()).data).toEqual([{ id: own }]);
    expect((await results(other)).playbooks).toMatchObject([{ playbook_id: foreign, all: { trades: 0 } }]);
  });
});
