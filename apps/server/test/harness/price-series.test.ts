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
    ...{ leader, link, series },
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

test('what is not recorded is unproven only where the link was lost, or something else that loses frames', async () => {
  const { link, series, publish, judge } = createRecorded();
  await publish(1, 100);
  await publish(2);
  expect(await judge('open', 100, 1_000_000, 2)).toEqual(['not in the series']);
  // The recorder loses some by itself.
  await publish(4, 101);
  expect(await judge('open', 102, 3)).toEqual(['not in the series']);
  expect(await judge('stop_loss', 102, 4)).toEqual(['not in the series']);
  link.cut();
  expect(await judge('open', 102, 6)).toEqual(['unproven']);
  link.mend();
  await publish(7);
  expect(await judge('open', 102, 6)).toEqual(['unproven']);
  // The seconds in which a price of then was acted on are over.
  expect(await judge('open', 102, 30)).toEqual(['not in the series']);
  await series.losing(() => publish(28));
  expect(await judge('open', 102, 30)).toEqual(['unproven']);
});

test('what a leader publishes while its own connection is away is unproven once it reports that', async () => {
  const { leader, publish, judge } = createRecorded();
  await publish(1, 100);
  leader.cut();
  await publish(2, 101);
  leader.mend();
  expect(await judge('open', 101, 2)).toEqual(['not in the series']);
  leader.publish('tell.link.restored', {});
  await publish(3);
  expect(await judge('open', 101, 2)).toEqual(['unproven']);
  expect(await judge('stop_loss', 101, 3)).toEqual(['unproven']);
  expect(await judge('open', 101, 30)).toEqual(['not in the series']);
});
