import { expect, test } from 'vitest';
import { passBooks } from '../../src/features/wallet/index.ts';
import { createTestDatabase } from '../support/index.ts';

test('scale', { timeout: 500_000 }, async () => {
  const db = await createTestDatabase();
  await db.asOwner(`
    insert into app.trading_pairs (symbol, name, type, base_asset, quote_asset, min_price, max_price, tick_size, min_qty, max_qty, step_size, trading_hours, sort_order)
    values ('BTCUSDT', 'B', 'crypto', 'X', 'USDT', 0.00000001, 10000000, 0.01, 0.001, 1000000, 0.001, 'UTC|Mon-Sun 00:00-24:00', 0);
    insert into app.users (id, email, username, role) select gen_random_uuid(), n || '@x.test', 'u' || n, 'trader' from generate_series(1, 20000) n;
    insert into app.wallets (user_id, available_balance, margin, version) select id, 10000 - 80, 80, 9 from app.users;
    insert into app.transactions (id, user_id, type, amount, status, description) select gen_random_uuid(), id, 'deposit', 10000, 'completed', 'Initial balance' from app.users;
    insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
      select id, a, case a when 'user:cash' then user_id end, s * 10000, 'deposit', id from app.transactions, (values ('user:cash', 1), ('external', -1)) as e (a, s);
    insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status, rules, account_version)
      select gen_random_uuid(), id, 'BTCUSDT', 'BUY', 100, 1, 10, 10, 90.5, 'open', 'standard', 2 from app.users, generate_series(1, 8);
    insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
      select p.g, a, user_id, s * 10, 'open', id from (select *, gen_random_uuid() as g from app.positions) p, (values ('user:cash', -1), ('user:margin', 1)) as e (a, s);
    insert into app.daily_totals (day, writer, volume, opened, deposits, balance) select now()::date, 'engine', 160000*100, 160000, 20000*10000, 20000*10000;
    analyze`);
  const timed = async (depth: 'full' | 'minute') => {
    const at = performance.now();
    const report = await passBooks(db, depth);
    console.log(depth, Math.round(performance.now() - at), 'ms', JSON.stringify(report?.violations));
    expect(report?.ok).toBe(true);
  };
  await timed('full');
  await timed('full');
  await timed('minute');
  await db.asOwner(`
    with p as (select gen_random_uuid() as id, gen_random_uuid() as g, user_id, version from app.wallets order by user_id limit 1000), x as (
      insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status, rules, account_version)
      select id, user_id, 'BTCUSDT', 'BUY', 100, 1, 10, 10, 90.5, 'open', 'standard', 2 from p), w as (
      update app.wallets set available_balance = available_balance - 10, margin = margin + 10, version = wallets.version + 1 from p where p.user_id = wallets.user_id), t as (
      update app.daily_totals set volume = volume + 100000, opened = opened + 1000 where writer = 'engine')
    insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
      select p.g, a, user_id, s * 10, 'open', id from p, (values ('user:cash', -1), ('user:margin', 1)) as e (a, s)`);
  await timed('minute');
  await timed('minute');
  await db.close();
});
