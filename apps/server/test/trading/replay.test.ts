/** The engine's command log, decided again without the engine. */
import { asMoney, type LedgerAccount, type LedgerKind, parseDecimal } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LedgerRow } from '../../src/features/trading/engine/ledger-rows.ts';
import type { CommandLogEntry } from '../../src/features/trading/index.ts';
import { ledgerHash, replayCommandLog } from '../harness/command-replay.ts';
import { type EngineSetup, engineConfig, openEngine } from './database-engine.ts';

let desk: EngineSetup;
let commandLog: CommandLogEntry[];
const overrides = {
  config: { ...engineConfig, tradingFeeRate: parseDecimal('0.0006') },
  commandLog: (entry: CommandLogEntry) => void commandLog.push(entry),
};
beforeEach(async () => {
  commandLog = [];
  desk = await openEngine(overrides);
});
afterEach(() => desk.dispose());

/** Everything except the start balances, which no engine booked. */
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
    accountId: user_id,
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
    desk.placeOrder(second, { type: 'LIMIT', price: '98' }),
    desk.placeOrder(first, { type: 'STOP', price: '103' }),
    desk.placeOrder(first, { type: 'MARKET' }),
    desk.open(second, { p_size: 1000 }).catch(() => null),
  ]);
  desk.tick('BTCUSDT', '98');
  await desk.trading.procedures.close_position(first.caller, { p_position_id: position.id, p_size: '0.5' });
  desk.tick('BTCUSDT', '96.5');
  await desk.actions.adjust_wallet_balance(admin, {
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
  await desk.actions.delete_user_with_data(admin, {
    p_user_id: second.userId,
    p_reason: 'requested it',
  });
}

test('A108 invariant 11: the command log of a run, restart included, gives the same ledger hash through decide alone', async () => {
  await trade();
  const stored = await storedLedger();
  const replayed = replayCommandLog(commandLog, (symbol) => desk.market.pair(symbol));
  expect(stored.length).toBeGreaterThan(30);
  expect(replayed.ledger).toEqual(stored);
  expect(replayed.ledgerHash).toBe(ledgerHash(stored));
  const outcomes = new Set(commandLog.flatMap((entry) => (entry.kind === 'command' ? entry.outcome : [])));
  expect(outcomes).toContain('insufficient_balance');
  expect(commandLog.filter(({ kind }) => kind === 'tick').length).toBeGreaterThan(2);
});

test('a changed command log is detected', async () => {
  await trade();
  const pair = (symbol: string) => desk.market.pair(symbol);
  const whole = replayCommandLog(commandLog, pair).ledgerHash;
  const opening = commandLog.findIndex((entry) => entry.kind === 'command' && entry.command.kind === 'open');
  expect(() => replayCommandLog(commandLog.toSpliced(opening, 1), pair)).toThrow(
    expect.objectContaining({ name: 'ReplayDiverged' }),
  );
  const last = commandLog.findLastIndex((entry) => entry.kind === 'command');
  expect(replayCommandLog(commandLog.toSpliced(last, 1), pair).ledgerHash).not.toBe(whole);
});
