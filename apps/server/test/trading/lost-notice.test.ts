/** In a cluster the notice that an account was written past its engine may be lost. */
import { texts } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/index.ts';
import type { ProcessBus } from '../../src/platform/bus/index.ts';
import { connectBus } from '../../src/platform/cluster/hints.ts';
import { createTestNetwork } from '../harness/cluster.ts';
import { testLog } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { openEngine } from './database-engine.ts';

test('after the connection to the others was lost, an engine decides by what is stored of each account', async () => {
  const desk = await openEngine();
  const link = createTestNetwork().link();
  const disconnect = connectBus({ bus: desk.bus as ProcessBus, link, slotOf, log: testLog });
  await desk.restart({ link });
  desk.tick('BTCUSDT', '100');
  const trader = await desk.addTrader('10000');
  await desk.open(trader);
  await desk.db.query('update app.users set restricted_at = now() where id = $1', [trader.caller.userId]);
  // It is cached, and nothing has said that it changed.
  await desk.open(trader);
  link.cut();
  link.mend();
  await eventually(async () => {
    await expect(desk.open(trader)).rejects.toThrow(texts.accountRestricted);
  });
  disconnect();
  await desk.dispose();
});
