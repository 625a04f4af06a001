/**
 * The fence in front of every batch (`engine_write_v<n>`), in both orders of each race: what ends an engine, moves its slots or halts
 * trading either waits for the batch under way, or the batch finds it done and is refused.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/engine/slots.ts';
import type { Batch } from '../../src/features/trading/engine/store.ts';
import { engineWrite, writeStatement } from '../../src/features/trading/engine/write.ts';
import { eventually } from '../harness/eventually.ts';
import { type EngineSetup, openEngine, type Trader } from './database-engine.ts';
import { closeSessions, holdBatch, openSession, waiting } from './held-batch.ts';

let desk: EngineSetup;
let trader: Trader;
beforeEach(async () => {
  desk = await openEngine();
  trader = await desk.addTrader('1000');
  // The account is in memory: what follows is the batch alone.
  await desk.open(trader);
});
afterEach(async () => {
  await closeSessions();
  await desk.dispose();
});

const countPositions = async (): Promise<number> => {
  const { rows } = await desk.db.query<{ count: number }>(
    'select count(*)::int as count from app.positions where user_id = $1',
    [trader.userId],
  );
  return rows[0]?.count ?? 0;
};

const lockEngines = 'select from app.engines where ended_at is null order by id for update';
const endEngines = 'update app.engines set ended_at = clock_timestamp() where ended_at is null';
const haltTrading = `insert into app.halts (at, cause, reason) values (now(), 'ledger', 'a wallet is off')`;
/** As `ended_at` and the slots change together, so that another engine may take them. */
const moveSlots = `
  ${endEngines};
  insert into app.engines (started_at) values (now());
  update app.engine_slots set engine = (select max(id) from app.engines)`;

interface Race {
  readonly what: string;
  readonly statement: string;
  readonly halt: { readonly haltCause: string; readonly halted: string };
}
const epochOver = { haltCause: 'epoch', halted: 'engine epoch 1 is over' };
const races: readonly Race[] = [
  { what: 'an engine is ended', statement: endEngines, halt: epochOver },
  { what: 'its slots go to another engine', statement: moveSlots, halt: epochOver },
  {
    what: 'trading is halted',
    statement: haltTrading,
    halt: { haltCause: 'ledger', halted: 'a wallet is off' },
  },
];

test.each(races)('$what before a batch: the batch waits at the fence, and is refused', async (race) => {
  const session = await openSession(desk);
  await session.query('begin');
  await session.query(lockEngines);
  await session.query(race.statement);
  const opened = desk.open(trader).catch((error: unknown) => error);
  await waiting(desk, 'engine_write');
  await session.query('commit');
  expect(await opened).toMatchObject({ code: 'trading_halted', status: 503 });
  expect(desk.trading.state()).toMatchObject(race.halt);
  expect(await countPositions()).toBe(1);
  expect(await desk.invariants()).toMatchObject({ ok: true });
});

test.each(races)('$what after a batch has begun: it waits until the batch is committed', async (race) => {
  const letGo = await holdBatch(desk, trader);
  const opened = desk.open(trader);
  await waiting(desk, 'engine_write');
  const session = await openSession(desk);
  await session.query('begin');
  const locked = session.query(lockEngines);
  await waiting(desk, 'for update');
  await letGo();
  await opened;
  await locked;
  // In the same transaction that has waited: the position is there before the ending is.
  expect(await countPositions()).toBe(2);
  await session.query(race.statement);
  await session.query('commit');
  await expect(desk.open(trader)).rejects.toMatchObject({ code: 'trading_halted' });
  expect(desk.trading.state()).toMatchObject(race.halt);
  expect(await countPositions()).toBe(2);
  expect(await desk.invariants()).toMatchObject({ ok: true });
});

test('a batch with one foreign slot is refused, and those of other slots go on until then', async () => {
  const other = await desk.addTrader('1000');
  await desk.db.asOwner('update app.engine_slots set engine = null where slot = $1', [slotOf(other.userId)]);
  if (slotOf(other.userId) !== slotOf(trader.userId)) await desk.open(trader);
  await expect(desk.open(other)).rejects.toMatchObject({ code: 'trading_halted' });
  expect(desk.trading.state()).toMatchObject({
    haltCause: 'epoch',
    halted: `slot ${slotOf(other.userId)} is not of engine epoch 1`,
  });
});

test('an engine that touches its own row waits for no batch, and no batch for it', async () => {
  const session = await openSession(desk);
  const touch = 'update app.engines set confirmed_at = clock_timestamp() where ended_at is null';
  await session.query('begin');
  await session.query(touch);
  await desk.open(trader);
  await session.query('commit');

  const letGo = await holdBatch(desk, trader);
  const opened = desk.open(trader);
  await waiting(desk, 'engine_write');
  await session.query(touch);
  await letGo();
  await opened;
  expect(await countPositions()).toBe(3);
});

test('an admin’s halt waits for the batch under way, and no batch is written after it, whatever memory holds', async () => {
  const admin = await desk.addAdmin();
  const letGo = await holdBatch(desk, trader);
  const opened = desk.open(trader);
  await waiting(desk, 'engine_write');
  const halted = desk.trading.halts.halt(admin, 'Prices look wrong');
  await waiting(desk, 'for update');
  await letGo();
  await opened;
  await halted;
  await expect(desk.open(trader)).rejects.toMatchObject({ code: 'trading_halted' });
  expect(await countPositions()).toBe(2);
  expect(desk.trading.state()).toMatchObject({ haltCause: 'staff', halted: 'Prices look wrong' });

  // A new engine meets the row, although nothing told it.
  const engine = await desk.db.asOwner('select max(id)::text as id from app.engines');
  await expect(writeEmptyBatch(engineWrite, Number(engine[0]?.id))).rejects.toMatchObject({
    code: 'ZE004',
    detail: 'staff',
  });
  await desk.trading.halts.resume(admin, 'They are right');
  await desk.open(trader);
});

test('of several halts in force the ledger’s is the one that an engine takes over, and both are lifted at once', async () => {
  const admin = await desk.addAdmin();
  await desk.trading.halts.halt(admin, 'Prices look wrong');
  await desk.db.asOwner(haltTrading);
  await desk.restart();
  expect(desk.trading.state()).toMatchObject({ haltCause: 'ledger', halted: 'a wallet is off' });
  expect(await desk.trading.halts.current()).toMatchObject({ reason: 'a wallet is off', by: null });
  await eventually(() => expect(desk.trading.invariants().fullCheckedAt).not.toBeNull());
  await desk.trading.halts.resume(admin, 'Verified');
  await desk.open(trader);
  const { rows } = await desk.db.query('select from app.halts where lifted_at is null');
  expect(rows).toEqual([]);
});

test('a broken invariant halts trading with a row, once the database takes it', async () => {
  const { db } = desk;
  const transaction: typeof db.transaction = (work) =>
    db.transaction((tx) =>
      work({
        query: async (text, ...rest) => {
          if (text.includes('insert into app.halts')) throw new Error('the database is away');
          return tx.query(text, ...rest);
        },
      }),
    );
  await desk.db.asOwner(
    'update app.wallets set available_balance = available_balance + 1 where user_id = $1',
    [trader.userId],
  );
  await desk.restart({ db: { pool: db.pool, query: db.query, close: db.close, transaction } });
  await eventually(() => expect(desk.trading.state().haltCause).toBe('ledger'));
  const rows = () => db.asOwner('select cause, reason, halted_by from app.halts where lifted_at is null');
  expect(await rows()).toEqual([]);
  // A start verifies the ledger again and tries to write what it finds.
  await desk.restart();
  await eventually(async () =>
    expect(await rows()).toEqual([{ cause: 'ledger', reason: desk.trading.state().halted, halted_by: null }]),
  );
});

/** A batch that changes the version of the trader's wallet and counts one opened position. */
async function writeEmptyBatch(version: string, epoch: number): Promise<void> {
  const { rows } = await desk.db.query<{ id: string; version: string }>(
    'select id, version from app.wallets where user_id = $1',
    [trader.userId],
  );
  const [wallet] = rows;
  if (!wallet) throw new Error('the trader has a wallet');
  const before = { accountId: trader.userId, available: 0n, margin: 0n, orderMargin: 0n } as const;
  const amounts = {
    volume: 0n,
    realizedPnl: 0n,
    deposits: 0n,
    withdrawals: 0n,
    fees: 0n,
    balance: 0n,
  } as const;
  const batch = {
    ...{ id: crypto.randomUUID(), at: desk.clock.now(), priceNumber: null, commands: 1 },
    wallets: [
      {
        before: { ...before, id: wallet.id, version: Number(wallet.version) },
        after: { ...before, id: wallet.id, version: Number(wallet.version) + 1 },
      },
    ],
    ...{
      positions: [],
      orders: [],
      executions: [],
      quotedBooks: [],
      leverages: [],
      ledger: [],
      transactions: [],
      notifications: [],
      equity: [],
      amended: [],
    },
    ...{ restrictions: [], deletions: [], answers: [], audits: [], verdicts: [] },
    totals: { ...amounts, opened: 1, closed: 0 },
  } as unknown as Batch;
  const { text, values } = writeStatement(batch, epoch);
  if (version === engineWrite) return void (await desk.db.query(text, values));
  // The release before takes the same arguments without the number of the prices.
  const former = values.toSpliced(4, 2);
  await desk.db.query(`select app.${version}(${former.map((_, i) => `$${i + 1}`).join(', ')})`, former);
}

test('upgrade: the function of the release before writes on this schema, until an engine of this release starts', async () => {
  const engines = await desk.db.asOwner('select id::int from app.engines where ended_at is null');
  const former = Number(engines[0]?.id);
  await writeEmptyBatch('engine_write_v5', former);
  const totals = await desk.db.asOwner(
    'select writer, opened::int from app.daily_totals where opened > 0 order by writer',
  );
  expect(totals).toEqual([{ writer: 'engine:1', opened: 2 }]);
  await desk.restart();
  await expect(writeEmptyBatch('engine_write_v5', former)).rejects.toMatchObject({ code: 'ZE001' });
});
