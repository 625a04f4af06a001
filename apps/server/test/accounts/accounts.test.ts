/** Trading accounts of a user, through the official client: a token for each account, and one client for each token. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import { journalLimits } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { server, shareTestServer, type TestServer } from '../harness/index.ts';

type Trader = Awaited<ReturnType<TestServer['signUpTrader']>>;

shareTestServer({ config: { allowReset: true } });
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '50000');
});

interface Account {
  readonly id: string;
  readonly client: SupabaseClient;
}

const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };

async function openAccount(trader: Trader, more: Record<string, unknown> = {}): Promise<Account> {
  const { data, error } = await trader.client.rpc('create_account', { p_name: randomUUID(), ...more });
  if (error) throw error;
  return { id: data.id, client: await server.clientIn(trader.client, data.id) };
}

const balanceOf = async (client: SupabaseClient) =>
  (await client.from('wallets').select('available_balance, user_id').single().throwOnError()).data;

describe('A112: several accounts of one user', () => {
  test('each account has its own money, positions and history', async () => {
    const trader = await server.signUpTrader();
    const practice = await openAccount(trader, { p_start_balance: 500 });
    expect(await balanceOf(practice.client)).toEqual({ available_balance: 500, user_id: practice.id });
    expect(await balanceOf(trader.client)).toEqual({ available_balance: 10_000, user_id: trader.userId });

    const opened = await practice.client.rpc('open_position', order).throwOnError();
    expect(opened.data).toMatchObject({ user_id: practice.id, margin: 50 });
    expect((await trader.client.from('positions').select('id').throwOnError()).data).toEqual([]);
    expect((await practice.client.from('positions').select('id').throwOnError()).data).toEqual([
      { id: opened.data.id },
    ]);
    expect((await practice.client.from('transactions').select('description').throwOnError()).data).toEqual([
      { description: 'Initial balance' },
    ]);
    // The main account cannot close what the practice account holds.
    const { error } = await trader.client.rpc('close_position', { p_position_id: opened.data.id });
    expect(error?.code).toBe('position_not_found');
  });

  test('the terms of the account decide: greatest leverage, fee', async () => {
    const trader = await server.signUpTrader();
    const { client } = await openAccount(trader, { p_leverage_max: 5, p_fee_rate: 0.001 });
    const refused = await client.rpc('open_position', order);
    expect(refused.error).toMatchObject({ code: 'leverage_capped' });
    expect(refused.error?.message).toContain('5x');
    const opened = await client.rpc('open_position', { ...order, p_leverage: 5 }).throwOnError();
    expect(opened.data).toMatchObject({ leverage: 5, fee_rate: 0.001, fees: 0.5 });
    expect((await trader.client.rpc('open_position', order).throwOnError()).data).toMatchObject({
      fee_rate: 0,
    });
  });

  test('two tabs live: each account gets its own changes and none of the other', async () => {
    const trader = await server.signUpTrader();
    const practice = await openAccount(trader);
    const seen: Record<string, string[]> = { main: [], practice: [] };
    const observe = async (name: string, client: SupabaseClient, id: string) => {
      await client.realtime.setAuth();
      await new Promise<void>((resolve, reject) => {
        client
          .channel(`user:${id}`)
          .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'positions' }, (change) =>
            seen[name]?.push((change.new as { user_id: string }).user_id),
          )
          .subscribe((status, error) => {
            if (status === 'SUBSCRIBED') resolve();
            else if (status === 'CHANNEL_ERROR') reject(error ?? new Error(status));
          });
      });
    };
    await observe('main', trader.client, trader.userId);
    await observe('practice', practice.client, practice.id);
    await practice.client.rpc('open_position', order).throwOnError();
    await trader.client.rpc('open_position', order).throwOnError();
    await eventually(() => expect(seen).toEqual({ main: [trader.userId], practice: [practice.id] }));
    await practice.client.removeAllChannels();
  });

  test('a stop loss of another account fires, is booked there, and its owner is notified there', async () => {
    const trader = await server.signUpTrader();
    const { client, id } = await openAccount(trader);
    const { data: position } = await client.rpc('open_position', order).throwOnError();
    await client
      .rpc('set_take_profit_stop_loss', { p_position_id: position.id, p_stop_loss_price: 49_000 })
      .throwOnError();
    server.feed.setPrice('BTCUSDT', '48900');
    await eventually(async () =>
      expect(
        (await client.from('positions').select('status, close_reason').single().throwOnError()).data,
      ).toEqual({
        status: 'closed',
        close_reason: 'stop_loss',
      }),
    );
    expect((await client.from('notifications').select('user_id, kind').throwOnError()).data).toContainEqual({
      user_id: id,
      kind: 'stop_loss',
    });
    expect((await trader.client.from('notifications').select('id').throwOnError()).data).toEqual([]);
    server.feed.setPrice('BTCUSDT', '50000');
  });

  test('the same client id in two accounts is two orders', async () => {
    const trader = await server.signUpTrader();
    const { client } = await openAccount(trader);
    const body = { ...order, p_client_id: 'the-same' };
    const [first, second] = [
      await trader.client.rpc('open_position', body),
      await client.rpc('open_position', body),
    ];
    expect(first.data.id).not.toBe(second.data.id);
    expect((await client.rpc('open_position', body)).data.id).toBe(second.data.id);
  });
});

describe('A112: bad input', () => {
  test('another user’s account does not exist, nor does one that is gone', async () => {
    const [trader, other] = [await server.signUpTrader(), await server.signUpTrader()];
    const foreign = await openAccount(other);
    for (const p_account_id of [foreign.id, other.userId, randomUUID()]) {
      const { error, status } = await trader.client.rpc('account_token', { p_account_id });
      expect({ status, code: error?.code }).toEqual({ status: 404, code: 'not_found' });
      expect(error?.message).toBe('This account is gone. Choose another one.');
    }
    const { data } = await trader.client.from('trading_accounts').select('id').throwOnError();
    expect(data).toEqual([{ id: trader.userId }]);
  });

  test('names, balances and leverages out of bounds are refused in words, and nothing is opened', async () => {
    const trader = await server.signUpTrader();
    const faults: readonly [Record<string, unknown>, RegExp][] = [
      [{ p_name: '  ' }, /Give the account a name/],
      [{ p_name: 'x'.repeat(41) }, /at most 40 characters/],
      [{ p_name: 'a\u200Bb' }, /invisible/],
      [{ p_start_balance: 0 }, /from 1 to 10000000/],
      [{ p_start_balance: -5 }, /from 1 to/],
      [{ p_start_balance: '1.123456789' }, /from 1 to/],
      [{ p_leverage_max: 126 }, /from 1 to 125/],
      [{ p_fee_rate: 0.006 }, /from 0 to 0.005/],
    ];
    for (const [args, text] of faults) {
      const { error } = await trader.client.rpc('create_account', { p_name: 'Good', ...args });
      expect(error?.message).toMatch(text);
    }
    await trader.client.rpc('create_account', { p_name: 'Scalping' }).throwOnError();
    const again = await trader.client.rpc('create_account', { p_name: 'SCALPING ' });
    expect(again.error?.message).toBe('You have an account of this name. Choose another one.');
    const { data } = await trader.client.from('trading_accounts').select('kind').order('kind').throwOnError();
    expect(data).toEqual([{ kind: 'main' }, { kind: 'practice' }]);
  });

  test('ten practice accounts, two requests at once included; a repeat opens nothing', async () => {
    const trader = await server.signUpTrader();
    const repeated = { p_name: 'Once', p_client_id: 'one' };
    const [first, second] = await Promise.all([
      trader.client.rpc('create_account', repeated),
      trader.client.rpc('create_account', repeated),
    ]);
    expect(first.data?.id).toBe(second.data?.id);
    const opened = await Promise.all(
      Array.from({ length: 11 }, (_, i) => trader.client.rpc('create_account', { p_name: `Account ${i}` })),
    );
    expect(opened.filter(({ error }) => error === null)).toHaveLength(9);
    expect(opened.find(({ error }) => error)?.error?.message).toBe(
      'You have 10 practice accounts. Archive one first.',
    );
  });

  test('an account with something open is not archived; an archived one is read and never trades', async () => {
    const trader = await server.signUpTrader();
    const { id, client } = await openAccount(trader);
    const { data: position } = await client.rpc('open_position', order).throwOnError();
    const archive = () => trader.client.rpc('archive_account', { p_account_id: id });
    expect((await archive()).error?.message).toBe('Close the open positions of this account first.');
    await client.rpc('close_position', { p_position_id: position.id }).throwOnError();
    expect((await archive()).data).toMatchObject({ id, status: 'archived' });
    expect((await archive()).data).toMatchObject({ id, status: 'archived' });
    const refused = await client.rpc('open_position', order);
    expect(refused.error).toMatchObject({ code: 'account_archived' });
    expect((await client.from('positions').select('id').throwOnError()).data).toHaveLength(1);
    const main = await trader.client.rpc('archive_account', { p_account_id: trader.userId });
    expect(main.error?.message).toBe('Only a practice account can be changed.');
  });

  test('a token of an ended session is void, whatever its account', async () => {
    const trader = await server.signUpTrader();
    const { client } = await openAccount(trader);
    await trader.client.auth.signOut({ scope: 'global' });
    const { error, status } = await client.rpc('open_position', order);
    expect(status).toBe(401);
    expect(error).not.toBeNull();
  });

  test('no token renews itself: it ends with the token it was requested with, at the latest', async () => {
    const trader = await server.signUpTrader();
    const endOf = (token: string): number =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp;
    const { data } = await trader.client.auth.getSession();
    const own = endOf(data.session?.access_token ?? '');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const account = await trader.client.rpc('account_token', { p_account_id: trader.userId }).throwOnError();
    expect(endOf(account.data.access_token)).toBe(own);
    expect(account.data.expires_at).toBe(own);
  });

  test('alerts count for the user, whichever account they are of', async () => {
    const trader = await server.signUpTrader();
    const { client } = await openAccount(trader);
    await server.db.query(
      `insert into app.alerts (id, user_id, kind, symbol, level, direction, created_at, updated_at)
       select gen_random_uuid(), $1, 'price', 'BTCUSDT', 60000, 'rises', now(), now() from generate_series(1, 100)`,
      [trader.userId],
    );
    const alert = { p_kind: 'price', p_symbol: 'BTCUSDT', p_level: 60_000 };
    expect((await client.rpc('create_alert', alert)).error?.message).toBe(
      'You have 100 alerts in all your accounts. Delete one of them first.',
    );
  });

  test('journal entries count for the user, whichever account they are of', async () => {
    const trader = await server.signUpTrader();
    const { id, client } = await openAccount(trader);
    await server.db.query(
      `insert into app.journal_entries (user_id, title, content)
       select case when n % 2 = 0 then $1::uuid else $2::uuid end, 'old', 'x' from generate_series(1, ${journalLimits.entries - 1}) as n`,
      [trader.userId, id],
    );
    const entry = { title: 'Long', content: 'After the retest.' };
    const written = await Promise.all(
      [trader.client, client, client].map((by) => by.from('journal_entries').insert(entry)),
    );
    const messages = written.map(({ error }) => error?.message ?? 'saved').sort();
    expect(messages).toEqual([texts.journalFull, texts.journalFull, 'saved']);
    const other = await server.signUpTrader();
    await other.client.from('journal_entries').insert(entry).throwOnError();
  });

  test('a reset returns the account to its start balance and leaves the others alone', async () => {
    const trader = await server.signUpTrader();
    const { client } = await openAccount(trader, { p_start_balance: 777 });
    await client.rpc('open_position', order).throwOnError();
    await client.rpc('reset_account').throwOnError();
    expect(await balanceOf(client)).toMatchObject({ available_balance: 777 });
    expect(await balanceOf(trader.client)).toMatchObject({ available_balance: 10_000 });
  });
});
