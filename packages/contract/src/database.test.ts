import { createClient } from '@supabase/supabase-js';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Database, Row } from './database.ts';

/** `any` or `unknown` where a type has one at any depth, else never. */
type Untyped<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? Untyped<Item>
    : T extends object
      ? { [Key in keyof T]-?: Untyped<T[Key]> }[keyof T]
      : never;

test('every argument and result of a procedure has a type, at every depth', () => {
  expectTypeOf<Untyped<{ rows: ({ a?: unknown } | null)[] }>>().toBeUnknown();
  expectTypeOf<Untyped<{ rows: Record<string, ReturnType<typeof JSON.parse>> }>>().toBeAny();

  type Functions = Database['public']['Functions'];
  type UntypedNames = {
    [Name in keyof Functions]: [Untyped<Functions[Name]>] extends [never] ? never : Name;
  }[keyof Functions];
  expectTypeOf<UntypedNames>().toBeNever();
});

describe('createClient<Database>', () => {
  const client = createClient<Database>('http://localhost', 'sb_publishable_test');

  test('types select strings, embeds, single rows and procedures', () => {
    const users = () =>
      client.from('users').select('id, name:username, manager:manager_id(username)').single();
    type User = NonNullable<Awaited<ReturnType<typeof users>>['data']>;
    expectTypeOf<User>().toEqualTypeOf<{ id: string; name: string; manager: { username: string } | null }>();

    const wallets = () => client.from('wallets').select('balance, users(username)');
    type Wallet = NonNullable<Awaited<ReturnType<typeof wallets>>['data']>[number];
    expectTypeOf<Wallet>().toEqualTypeOf<{ balance: number; users: { username: string } }>();

    const positions = () => client.from('positions').select().eq('status', 'open').order('created_at');
    type Position = NonNullable<Awaited<ReturnType<typeof positions>>['data']>[number];
    expectTypeOf<Position>().toEqualTypeOf<Row<'positions'>>();

    const open = () =>
      client.rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '0.1', p_leverage: 10 });
    type Opened = NonNullable<Awaited<ReturnType<typeof open>>['data']>;
    expectTypeOf<Opened>().toEqualTypeOf<Row<'positions'>>();
  });

  test('CALL-26, CALL-28, CALL-33: types what the documents write themselves', () => {
    const writes = () => {
      void client.from('users').update({ last_login: '2026-11-21T08:00:00Z' }).eq('id', 'a');
      void client.from('users').insert({ id: 'a', email: 'a@example.test', username: 'a', role: 'trader' });
      // A variable widens the currency to any text, which the server accepts.
      const wallet = { user_id: 'a', balance: 0, available_balance: 0, currency: 'USDT' };
      void client.from('wallets').insert(wallet);
    };
    expect(writes).toBeTypeOf('function');
  });

  test('CALL-37, CALL-43, CALL-45: a claim can be written, never read', () => {
    const writes = () => {
      const edit = { entry_price: 1, version: 3, reason: 'a wrong tick', client_id: null };
      void client.from('positions').update(edit).eq('id', 'a');
      void client.from('transactions').insert({ user_id: 'a', type: 'deposit', amount: 1, reason: 'r' });
      void client.from('orders').insert([
        { symbol: 'BTCUSDT', type: 'MARKET', side: 'BUY', size: 1, leverage: 1 },
        { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', size: 1, leverage: 1, price: 2 },
      ]);
      void client.from('notifications').update({ read_at: '2026-11-21T08:00:00Z' }).eq('id', 'a');
      // @ts-expect-error a claim of positions is none of notifications
      void client.from('notifications').update({ reason: 'r' });
      // @ts-expect-error an edit names the version that it is of, a cancellation does not
      void client.from('orders').update({ status: 'CANCELED', version: 3 });
    };
    expect(writes).toBeTypeOf('function');
    expectTypeOf<Row<'positions'>>().not.toHaveProperty('reason');
    expectTypeOf<Row<'transactions'>>().not.toHaveProperty('client_id');
  });

  test('refuses columns and writes that the contract does not have', () => {
    const wrong = () => {
      // @ts-expect-error the owner and the symbol are all that a client names
      void client.from('favorites').insert({ symbol: 'BTCUSDT', created_at: '2026-11-21' });
      // @ts-expect-error no client inserts a position
      void client.from('positions').insert({ size: 1 });
      // @ts-expect-error a column that no role updates
      void client.from('users').update({ role: 'admin' });
      // @ts-expect-error an unknown side
      void client.from('positions').select().eq('side', 'HOLD');
      // @ts-expect-error an argument of the wrong type
      void client.rpc('close_position', { p_position_id: 1 });
    };
    expect(wrong).toBeTypeOf('function');
  });
});
