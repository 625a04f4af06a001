/**
 * How often the dashboard's widgets poll: by the clock of the page, which moves only by the seconds that the journey
 * advances. Each second waits for the answers of the last one, so that no interval grows by a slow machine.
 */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/providers.ts';
import { signUp } from '../harness/session.ts';

/** Seconds between two askings, by the last part of the path. */
const stated = {
  get_market_sentiment: 5,
  positions: 10,
  get_fear_and_greed: 30,
  get_news_feed: 30,
  get_social_sentiment: 30,
  get_economic_calendar: 60,
} as const satisfies Record<string, number>;

interface PolledRequest {
  readonly what: string;
  /** ms of the page's clock. */
  readonly at: number;
}

/**
 * Runs in the page before its scripts: records the time of each request, and counts the pending answers. Those of the socket
 * are included: seconds without one are a dead connection to the page, and a new connection reads the account again.
 */
const recordRequests = `(() => {
  const ask = globalThis.fetch;
  globalThis.requests = [];
  globalThis.awaited = 0;
  globalThis.followsAccount = false;
  globalThis.fetch = async (input, options) => {
    const { pathname } = new URL(input.url ?? input, location.href);
    globalThis.requests.push({ what: pathname.split('/').at(-1), at: Date.now() });
    globalThis.awaited += 1;
    try {
      const answer = await ask(input, options);
      // The page counts the next interval from the answer's last byte, not from its head.
      await answer.clone().arrayBuffer();
      return answer;
    } finally {
      globalThis.awaited -= 1;
    }
  };
  const sockets = new Set();
  globalThis.showLife = () => {
    for (const socket of sockets) socket.send('[null,"alive","phoenix","heartbeat",{}]');
  };
  const frame = (data) => (typeof data === 'string' ? JSON.parse(data) : []);
  const open = globalThis.WebSocket;
  globalThis.WebSocket = class extends open {
    #unanswered = new Set();
    constructor(...target) {
      super(...target);
      this.addEventListener('open', () => sockets.add(this));
      this.addEventListener('message', ({ data }) => {
        const [, ref, topic, event, payload] = frame(data);
        if (event !== 'phx_reply') return;
        if (this.#unanswered.delete(ref)) globalThis.awaited -= 1;
        if (topic.startsWith('realtime:user:') && payload.status === 'ok') globalThis.followsAccount = true;
      });
      this.addEventListener('close', () => {
        sockets.delete(this);
        globalThis.awaited -= this.#unanswered.size;
        this.#unanswered.clear();
      });
    }
    send(data) {
      const [, ref, , event] = frame(data);
      if (event === 'phx_join' || event === 'heartbeat') {
        this.#unanswered.add(ref);
        globalThis.awaited += 1;
      }
      super.send(data);
    }
  };
})()`;
const readRequests = (page: Page) => page.evaluate<PolledRequest[]>('requests');
/** Waits until the account is followed, which reads it once more, and until no request is sent or pending for a moment. */
async function waitForRest(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>('followsAccount')).toBe(true);
  let before = -1;
  const rests = async () => {
    const awaited = await page.evaluate<number>('awaited');
    const sent = (await readRequests(page)).length;
    const isStill = awaited === 0 && sent === before;
    before = sent;
    return isStill;
  };
  await expect.poll(rests, { intervals: [1_000] }).toBe(true);
}
const waitForAnswers = (page: Page) => expect.poll(() => page.evaluate<number>('awaited')).toBe(0);

const lifeEveryMs = 15_000;
let lifeShownAt = 0;
/** The server closes a socket that is silent for a minute of its own clock, which goes on while the page's is stopped. */
async function showLife(page: Page): Promise<void> {
  if (Date.now() - lifeShownAt < lifeEveryMs) return;
  lifeShownAt = Date.now();
  await page.evaluate('showLife()');
}

async function pass(page: Page, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    await showLife(page);
    // Each timer that is due fires once; frames in between are not needed.
    await page.clock.fastForward(1_000);
    await waitForAnswers(page);
  }
}

test('DASH-11, DASH-16, DASH-18, DASH-19, DASH-28, DASH-32, DASH-35, DASH-38: each widget reads at its stated interval while it is seen; what ticks meanwhile changes no ranking', async ({
  page,
  providers: { exchange },
}) => {
  await page.clock.install();
  await page.addInitScript(recordRequests);
  // All rows but the last two are seen at once.
  await page.setViewportSize({ width: 1440, height: 2000 });
  await signUp(page, 'clockwork');
  await expect
    .poll(async () => (await readRequests(page)).map(({ what }) => what))
    .toEqual(expect.arrayContaining(Object.keys(stated)));
  const movers = page.getByRole('region', { name: 'Top Movers' }).getByRole('link');
  const tiles = page.getByRole('region', { name: 'Market Heatmap' }).getByRole('listitem');
  await expect(movers).toHaveCount(2);
  await expect(tiles).toHaveCount(2);
  // What is answered after the leap to the pause would begin its interval that much later.
  await waitForRest(page);
  await page.clock.pauseAt(Date.now() + 10_000);
  const paused = (await readRequests(page)).length;
  const isRequestedSince = async (name: string) =>
    (await readRequests(page)).slice(paused).some(({ what }) => what === name);

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
    // The ranking is two seconds old at most: the next second shows the results of this one's timers.
    lead('BTCUSDT');
    await pass(page, 1);
    await expect(async () => {
      await showLife(page);
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

  // The slowest one polls once more; the others have polled repeatedly by then.
  for (let more = 0; more < 65 && !(await isRequestedSince('get_economic_calendar')); more += 1)
    await pass(page, 1);
  const requests = await readRequests(page);
  for (const [name, seconds] of Object.entries(stated)) {
    const moments = requests.flatMap(({ what, at }, index) =>
      what === name ? [{ at: at / 1000, index }] : [],
    );
    const gaps = moments.flatMap(({ at, index }, n) =>
      index < paused ? [] : [at - (moments[n - 1]?.at ?? at)],
    );
    expect(Math.min(...gaps), name).toBeGreaterThanOrEqual(seconds - 0.01);
    // The next interval counts from the last answer, which may have come before the clock was stopped.
    expect(Math.min(...gaps), name).toBeLessThan(seconds * 1.2 + 2);
  }
});
