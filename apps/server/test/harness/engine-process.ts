/** An engine process of a cluster, without gateways and market: commands and prices come over the pipe of its parent. */
import { AppError, type Tick } from '@fulcrum/contract';
import { CommandLate, createTrading, OutcomeUnknown, SlotMoved } from '../../src/features/trading/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { systemClock } from '../../src/platform/clock/index.ts';
import { beatSettings } from '../../src/platform/database/index.ts';
import { createDatabase } from '../../src/platform/database/pool.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { createFakeMarket } from '../trading/fake-market.ts';
import type { FromEngine, Outcome, SentCommand, ToEngine } from './engine-messages.ts';

const { PGHOST: host = '', PGDATABASE: database = '', PROCESS_ID: processId = '' } = process.env;
const { ENGINE_LANES = '1', LOG_LEVEL: logLevel = 'silent' } = process.env;

const log = createLog({ logLevel: logLevel as Parameters<typeof createLog>[0]['logLevel'] });
const connection = {
  ...{ host, database, user: 'fulcrum_app' },
  options: '-c timezone=UTC -c lock_timeout=10s -c statement_timeout=15s',
};
const db = createDatabase(connection, log);
const bus = createBus(log);
const fake = createFakeMarket();
const trading = createTrading({
  ...{ db, bus, log, clock: systemClock, market: fake.market },
  config: {
    ...{ rules: 'standard', priceTolerancePct: 0.5, tradingFeeRate: 0n, allowReset: true },
    ...{ engineLanes: Number(ENGINE_LANES), signupBalance: 0n },
  },
  member: {
    ...{ processId, name: 'test', version: 'test' },
    openBeatConnection: () => createDatabase({ ...connection, ...beatSettings }, log),
  },
});

const send = (message: FromEngine): void => {
  if (process.connected) process.send?.(message);
};

function toOutcome(error: unknown): Outcome {
  if (error instanceof SlotMoved) return 'moved';
  if (error instanceof CommandLate) return 'late';
  if (error instanceof OutcomeUnknown) return 'unknown';
  if (!(error instanceof AppError)) return { fault: String(error) };
  const { code, message, details, hint } = error;
  return { error: { code, message, details, hint } };
}

async function answer({ id, origin, command, key, until }: SentCommand): Promise<void> {
  const outcome = await trading.engine
    .submit(origin, command, key, until)
    .then((done) => ({ done }), toOutcome);
  send({ kind: 'outcome', id, outcome });
}

process.on('message', async (message: ToEngine) => {
  if (message.kind === 'command') return answer(message);
  if (message.kind === 'price') {
    fake.setPrice(message.symbol, message.price);
    bus.publish('market.tick', { symbol: message.symbol } as Tick);
    return;
  }
  await trading.stop();
  await db.close();
  process.disconnect();
});
// The test is gone.
process.on('disconnect', () => process.exit());

trading.slots.onChange(() => send({ kind: 'slots' }));
await trading.start();
send({ kind: 'started' });
