/** What the engine recorded, decided once more without it. */
import { asMoney, type LedgerAccount, type LedgerKind, parseDecimal } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LedgerRow, ledgerHash, replay, type TapeEntry } from '../../src/features/trading/index.ts';
import { type Desk, deskConfig, openDesk } from './support.ts';

let desk: Desk;
let tape: TapeEntry[];
const overrides = {
  config: { ...deskConfig, tradingFeeRate: parseDecimal('0.0006') },
  tape: (entry: TapeEntry) => void tape.push(entry),
};
beforeEach(async () => {
  tape = [];
  desk = await openDesk(overrides);
});
afterEach(() => desk.dispose());

/** Everything but the start balances, which no engine booked. */
async function storedLedger(): Promise<LedgerRow[]> {
  const { rows } = await desk.db.query<{
    group_id: string;
    account: LedgerAccount;
    user_id: string | null;
    amount: string;
    kind: LedgerKind;
    source_id: string;
  }>(
    `select group_id, account, user_id, amount, kind, source_id from app.ledger_entries
     where group_id not in (select id from app.transactions where description = 'Initial balance') order by id`,
  );
  return rows.map(({ group_id, account, user_id, amount, kind, source_id }) => ({
    groupId: group_id,
    account,
    userId: user_id,
    amount: asMoney(parseDecimal(amount)),
    kind,
    sourceId: source_id,
  }));
}

async function trade(): Promise<void> {
  const [first, second] = [await desk.addTrader('1000'), await desk.addTrader('500')];
  const admin = await desk.addAdmin();
  const position = await desk.open(first, { p_stop_loss_price: 95, p_size: 2 });
  await Promise.all([
    desk.open(second, { p_side: 'SELL', p_take_profit_price: 97 }),
    desk.place(second, { type: 'LIMIT', price: '98' }),
    desk.place(first, { type: 'STOP', price: '103' }),
    desk.place(first, { type: 'MARKET' }),
    desk.open(second, { p_size: 1000 }).catch(() => null),
  ]);
  desk.tick('BTCUSDT', '98');
  await desk.trading.procedures.close_position(first.caller, { p_position_id: position.id, p_size: '0.5' });
  desk.tick('BTCUSDT', '96.5');
  await desk.trading.procedures.adjust_wallet_balance(admin, {
    p_user_id: second.userId,
    p_amount: 25,
    p_reason: 'gift',
  });
  desk.tick('BTCUSDT', '94');
  await desk.settle();
  await desk.restart(overrides);
  await desk.close(first, position.id).catch(() => null);
  desk.tick('BTCUSDT', '104');
  await desk.settle();
  await desk.trading.procedures.reset_account(first.caller, {});
  await desk.trading.procedures.delete_user_with_data(admin, {
    p_user_id: second.userId,
    p_reason: 'asked for it',
  });
}

test('A108 invariant 11: the tape of a run, restart included, gives the same ledger hash through decide alone', async () => {
  await trade();
  const stored = await storedLedger();
  const replayed = replay(tape, (symbol) => desk.market.pair(symbol));
  expect(stored.length).toBeGreaterThan(30);
  expect(replayed.ledger).toEqual(stored);
  expect(replayed.ledgerHash).toBe(ledgerHash(stored));
  const outcomes = new Set(tape.flatMap((entry) => (entry.kind === 'command' ? entry.outcome : [])));
  expect(outcomes).toContain('insufficient_balance');
  expect(tape.filter(({ kind }) => kind === 'tick').length).toBeGreaterThan(2);
});

test('a tape that was changed is found out', async () => {
  await trade();
  const pair = (symbol: string) => desk.market.pair(symbol);
  const whole = replay(tape, pair).ledgerHash;
  const opening = tape.findIndex((entry) => entry.kind === 'command' && entry.command.kind === 'open');
  expect(() => replay(tape.toSpliced(opening, 1), pair)).toThrow(
    expect.objectContaining({ name: 'ReplayDiverged' }),
  );
  const last = tape.findLastIndex((entry) => entry.kind === 'command');
  expect(replay(tape.toSpliced(last, 1), pair).ledgerHash).not.toBe(whole);
});
