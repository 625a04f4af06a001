/** A halt that meets crossings in the queue: they were taken out of the index, and have to be armed again when trading resumes. */
import {
  type AccountTerms,
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type Command,
  hourMs,
  MAX_LEVERAGE,
  parseDecimal,
  type RuleSetName,
  type TradingPair,
} from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { Engine } from '../../src/features/trading/engine/engine.ts';
import { defaultLimits } from '../../src/features/trading/engine/limits.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { Faults } from './faults.ts';
import { simulatedPairs } from './market.ts';
import { MemoryDatabase } from './memory-database.ts';
import { MemoryStore } from './memory-store.ts';
import { createChance } from './random.ts';

const pair = simulatedPairs[0] as TradingPair;
const log = createLog({ logLevel: 'silent' });
const terms: AccountTerms = {
  ...{ rules: 'standard', feeRate: asFeeRate(0n), leverageMax: MAX_LEVERAGE, fillProfile: 'exact' },
};

/** An engine with a BUY of 1 at 26,000 and leverage 20, in an account under these rules. */
async function openOne(rules: RuleSetName) {
  const chance = createChance(1);
  const database = new MemoryDatabase();
  const ownerId = chance.uuid();
  const accountId = `${chance.uuid().slice(0, -2)}${ownerId.slice(-2)}`;
  database.addUser({ id: ownerId, role: 'trader', managerId: null, restricted: false });
  const own: AccountTerms = { ...terms, rules, fillProfile: rules === 'perpetual' ? 'ideal' : 'exact' };
  database.addAccount(accountId, { ownerId, terms: own, isArchived: false });
  database.wallets.set(accountId, {
    ...{ id: 'wallet', accountId, version: 1, available: asMoney(parseDecimal('10000')) },
    ...{ margin: asMoney(0n), orderMargin: asMoney(0n) },
  });
  const clock = createManualClock(Date.parse('2026-11-21T10:00:00Z'));
  const market = { price: asPrice(parseDecimal('26000')) };
  const level = (ticks: bigint) => [
    { price: asPrice(market.price + ticks * pair.tickSize), size: pair.maxQty },
  ];
  const engine = new Engine({
    ...{
      store: new MemoryStore(database, new Faults(() => undefined), { terms, clock }),
      clock,
      bus: createBus(log),
      log,
    },
    ...{
      rules: 'standard',
      newId: () => chance.uuid(),
      priceTolerance: asPercent(1n),
      limits: defaultLimits,
    },
    marketAt: (at) => ({
      pair: () => pair,
      quote: () => ({ price: market.price, stale: false, held: false, marketOpen: true }),
      book: () => ({
        ...{ source: 'modelled' as const, quoteId: 'q', mid: market.price, at, minuteVolume: pair.maxQty },
        ...{ bids: level(-1n), asks: level(1n) },
      }),
    }),
  });
  await engine.start();
  const origin = { accountId, ownerId, actorId: ownerId, authority: null, reason: null };
  const open: Command = {
    ...{ kind: 'open', symbol: pair.symbol, side: 'BUY', size: asSize(parseDecimal('1')), leverage: 20 },
    ...{ expectedPrice: null, takeProfitPrice: null, stopLossPrice: null },
  };
  await engine.submit(origin, open, null);
  const haltAndResume = async () => {
    engine.halt('staff', 'a check');
    await engine.idle();
    await engine.resume();
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      engine.sweep();
      await engine.idle();
    }
  };
  const position = () => [...database.positions.values()][0];
  return { engine, clock, market, haltAndResume, position };
}

test('A37: a liquidation that waits when trading is halted follows when it resumes', async () => {
  const { engine, market, haltAndResume, position } = await openOne('standard');
  market.price = asPrice(parseDecimal('20000'));
  engine.tick(pair.symbol);
  expect(engine.state().queued).toBe(1);
  await haltAndResume();
  expect(position()?.closing?.reason).toBe('liquidation');
});

test('A113: funding that waits when trading is halted follows when it resumes', async () => {
  const { engine, clock, haltAndResume, position } = await openOne('perpetual');
  clock.advance(7 * hourMs);
  engine.sweep();
  expect(engine.state().queued).toBe(1);
  await haltAndResume();
  expect(position()).toMatchObject({ funding: -parseDecimal('2.6') });
});
