import { expect, test } from 'vitest';
import { createTestNetwork } from './cluster.ts';
import { recordPrices } from './price-series.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A leader of term 1 and its recorder. A frame is a second later than the one before. */
function createRecorded() {
  const network = createTestNetwork();
  const [leader, link] = [network.link(), network.link()];
  const series = recordPrices(link);
  const begun = Date.now() - 60_000;
  const timeOf = (seq: number): number => begun + seq * 1_000;
  return {
    link,
    publish: async (seq: number, price?: number): Promise<void> => {
      const ticks = price === undefined ? [] : [{ symbol: 'BTCUSDT', price }];
      leader.publish('price', { term: 1, seq, at: timeOf(seq), ticks });
      await settled();
    },
    /** The fault of a fill that was decided on that frame. */
    judge: async (what: 'open' | 'stop_loss', price: number, seq: number, decidedOn = seq) => {
      const fill = { symbol: 'BTCUSDT', price, what, position_id: 'position', epoch: 1 };
      const rows = [{ ...fill, term: 1, seq, committed_at: timeOf(decidedOn) }];
      const judged = await series.judge(async () => rows);
      return judged.map(({ fault }) => fault);
    },
  };
}

test('after a gap the price of a command is judged as soon as its symbol has one', async () => {
  const { link, publish, judge } = createRecorded();
  await publish(1, 100);
  await publish(2);
  link.cut();
  await publish(3, 101);
  link.mend();
  await publish(4);
  expect(await judge('open', 102, 4)).toEqual(['unproven']);
  await publish(5, 103);
  expect(await judge('open', 102, 5)).toEqual(['not the last price']);
  expect(await judge('open', 103, 5)).toEqual([null]);
  // It may have waited since the gap.
  expect(await judge('stop_loss', 102, 5)).toEqual(['unproven']);
});
