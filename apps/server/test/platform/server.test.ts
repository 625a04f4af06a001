import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../harness/index.ts';

describe('the whole server, with the official client', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  test('works as the restricted role', async () => {
    const { rows } = await server.db.query('select current_user::text as role');
    expect(rows).toEqual([{ role: 'fulcrum_app' }]);
  });

  test('a trade that was acknowledged is there after a restart', async () => {
    const { client, userId } = await server.signUpTrader({ balance: 500 });
    server.feed.setPrice('BTCUSDT', '20000.00');
    const opened = await client.rpc('open_position', {
      p_symbol: 'BTCUSDT',
      p_side: 'BUY',
      p_size: 0.1,
      p_leverage: 10,
      p_entry_price: null,
      p_required_margin: null,
    });
    expect(opened.error).toBeNull();

    await server.restart();

    const positions = await client.from('positions').select('symbol, size, margin, status');
    expect(positions.data).toEqual([{ symbol: 'BTCUSDT', size: 0.1, margin: 200, status: 'open' }]);
    const wallet = await client
      .from('wallets')
      .select('balance, available_balance')
      .eq('user_id', userId)
      .single();
    expect(wallet.data).toEqual({ balance: 500, available_balance: 300 });
  });
});
