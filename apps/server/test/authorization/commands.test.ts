/** Walks role x command, and on whose account a command acts. */
import { randomUUID } from 'node:crypto';
import type { ProcedureName } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { none, tableUnder } from './matrix.ts';
import { callers, createWorld, type Person, symbol, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const order = (claimed: string) => ({
  p_user_id: claimed,
  p_symbol: symbol,
  p_side: 'BUY',
  p_size: 0.01,
  p_leverage: 10,
});

async function openedBy(person: Person): Promise<string> {
  const { data, error } = await world.clientOf(person).rpc('open_position', order(world.idOf[person]));
  if (error) throw error;
  return data.id;
}

/** Well-formed arguments that concern `whose` account; every procedure has an entry. */
const argumentsFor: Record<ProcedureName, (whose: Person) => Promise<Record<string, unknown>>> = {
  open_position: async (whose) => order(world.idOf[whose]),
  close_position: async (whose) => ({
    p_position_id: whose === 'alice' || whose === 'bob' ? await openedBy(whose) : randomUUID(),
  }),
  get_candles: async () => ({ p_symbol: symbol, p_timeframe: '1m' }),
};

test('X-20: who may call what', async () => {
  const outcomes: string[] = [];
  const expected: string[] = [];
  for (const line of tableUnder('Commands')) {
    const command = line.command as ProcedureName;
    for (const { role, person } of callers) {
      const args = await argumentsFor[command](person ?? 'alice');
      const { error, status } = await world.clientOf(person).rpc(command, args);
      const isDenied = error?.code === '42501' && status === (role === 'anon' ? 401 : 403);
      outcomes.push(`${role} ${command}: ${isDenied ? 'denied' : (error?.message ?? 'done')}`);
      expected.push(`${role} ${command}: ${line[role] === none ? 'denied' : 'done'}`);
    }
  }
  expect(outcomes).toEqual(expected);
});

test('RULE-37, X-20: open_position opens for the caller, whoever it claims to be', async () => {
  const { data } = await world.clientOf('alice').rpc('open_position', order(world.idOf.bob));
  expect(data.user_id).toBe(world.idOf.alice);
});

test('RULE-37, X-20: somebody else’s position is one that does not exist', async () => {
  const close = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('close_position', { p_position_id: id });
    return { status, error };
  };
  const foreign = await openedBy('bob');
  expect(await close(foreign)).toEqual(await close(randomUUID()));
  const { rows } = await world.server.db.query('select status from app.positions where id = $1', [foreign]);
  expect(rows).toEqual([{ status: 'open' }]);
});
