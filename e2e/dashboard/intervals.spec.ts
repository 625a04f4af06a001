/**
 * How often the dashboard's widgets look: by the clock of the page, which stands still but for the seconds that the journey
 * lets pass. Answers are waited for before the next second, so that no gap grows by a slow machine.
 */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/providers.ts';
import { register } from '../support/steps.ts';

/** Seconds between two askings, by the last part of the path. */
const stated = {
  get_market_sentiment: 5,
  positions: 10,
  get_fear_and_greed: 30,
  get_news_feed: 30,
  get_social_sentiment: 30,
  get_economic_calendar: 60,
} as const satisfies Record<string, number>;

interface Asking {
  readonly what: string;
  /** ms of the page's clock. */
  readonly at: number;
}

/** Runs in the page before its scripts: keeps when what was asked for, and how many answers are not there yet. */
const watchAskings = `(() => {
  const ask = globalThis.fetch;
  globalThis.asked = [];
  globalThis.awaited = 0;
  globalThis.fetch = async (input, options) => {
    const { pathname } = new URL(input.url ?? input, location.href);
    globalThis.asked.push({ what: pathname.split('/').at(-1), at: Date.now() });
    globalThis.awaited += 1;
    try {
      return await ask(input, options);
    } finally {
      globalThis.awaited -= 1;
    }
  };
})()`;
const readAskings = (page: Page) => page.evaluate<Asking[]>('asked');

async function pass(page: Page, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    // Each timer that is due fires once; frames in between would be drawn for nobody.
    await page.clock.fastForward(1_000);
    await expect.poll(() => page.evaluate<number>('awaited')).toBe(0);
  }
}

test('DASH-11, DASH-16, DASH-18, DASH-19, DASH-28, DASH-32, DASH-35, DASH-38: each widget reads at its stated interval while it is seen; what ticks meanwhile changes no ranking', async ({
  page,
  providers: { exchange },
}) => {
  await page.clock.install();
  await page.addInitScript(watchAskings);
  // All rows but the last two are seen at once.
  await page.setViewportSize({ width: 1440, height: 2000 });
  await register(page, 'clockwork');
  await expect
    .poll(async () => (await readAskings(page)).map(({ what }) => what))
    .toEqual(expect.arrayContaining(Object.keys(stated)));
  const movers = page.getByRole('region', { name: 'Top Movers' }).getByRole('link');
  const tiles = page.getByRole('region', { name: 'Market Heatmap' }).getByRole('listitem');
  await expect(movers).toHaveCount(2);
  await expect(tiles).toHaveCount(2);
  await page.clock.pauseAt(Date.now() + 10_000);
  const paused = (await readAskings(page)).length;
  const askedSince = async (name: string) =>
    (await readAskings(page)).slice(paused).some(({ what }) => what === name);

  await test.step('rankings', async () => {
    /** The larger mover and the larger tile; the other market moved by 3 %. */
    const lead = (symbol: 'BTCUSDT' | 'ETHUSDT') => {
      const prices = { BTCUSDT: '64000.00', ETHUSDT: '3200.00' };
      for (const [other, price] of Object.entries(prices)) {
        const leads = other === symbol;
        exchange.set(other, price, {
          percent: leads ? '8.000' : '3.000',
          quoteVolume: leads ? '900000000000' : '1000000000',
        });
      }
    };
    const expectFirst = async (symbol: string) => {
      await expect(movers.first()).toContainText(symbol, { timeout: 1_000 });
      await expect(tiles.first()).toContainText(symbol.replace('USDT', ''), { timeout: 1_000 });
    };
    lead('ETHUSDT');
    await expect(async () => {
      await pass(page, 1);
      await expectFirst('ETHUSDT');
    }).toPass();
    // The ranking is two seconds old at most: what one second's timers began the next one's show.
    lead('BTCUSDT');
    await pass(page, 1);
    await expect(async () => {
      // Lets the page draw what has arrived.
      await page.clock.runFor(20);
      await expect(movers.first()).toContainText('+3.00%', { timeout: 100 });
      await expect(movers.last()).toContainText('+8.00%', { timeout: 100 });
    }).toPass();
    await pass(page, 5);
    await expectFirst('ETHUSDT');
    await pass(page, 6);
    await expectFirst('BTCUSDT');
  });

  // The slowest one asks once more; the others have asked again and again by then.
  for (let more = 0; more < 65 && !(await askedSince('get_economic_calendar')); more += 1)
    await pass(page, 1);
  const asked = await readAskings(page);
  for (const [name, seconds] of Object.entries(stated)) {
    const moments = asked.flatMap(({ what, at }, index) => (what === name ? [{ at: at / 1000, index }] : []));
    const gaps = moments.flatMap(({ at, index }, n) =>
      index < paused ? [] : [at - (moments[n - 1]?.at ?? at)],
    );
    expect(Math.min(...gaps), name).toBeGreaterThanOrEqual(seconds - 0.01);
    // The next asking is counted from the last answer, and that may have come before time stood still.
    expect(Math.min(...gaps), name).toBeLessThan(seconds * 1.2 + 2);
  }
});
