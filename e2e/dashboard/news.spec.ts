/** Calendar, news and social sentiment as a trader meets them: labelled, readable without colour, leading to the market. */
import { expect, test } from '../support/fulcrum.ts';
import { logIn, watchErrors } from '../support/steps.ts';

test('DASH-30, DASH-31, DASH-33, DASH-34, DASH-36, DASH-37: the made-up feeds say that they are simulated, and a headline leads to its market', async ({
  page,
}) => {
  const errors = watchErrors(page, /503/);
  await logIn(page, 'trader@fulcrum.local');
  await page.goto('/dashboard');
  const calendar = page.getByRole('region', { name: 'Economic Calendar' });
  const news = page.getByRole('region', { name: 'News Feed' });
  const social = page.getByRole('region', { name: 'Social Sentiment' });
  await expect(async () => {
    // The row is not there before it is about to be seen.
    await page.mouse.wheel(0, 500);
    await expect(calendar.getByRole('row')).toHaveCount(11, { timeout: 1_000 });
  }).toPass({ timeout: 45_000 });
  for (const region of [calendar, news, social]) {
    await expect(region.getByText('Simulated', { exact: true })).toBeVisible();
  }

  await expect(calendar.getByRole('cell', { name: /^(High|Medium|Low)$/ })).toHaveCount(10);

  await expect(news.getByRole('listitem')).toHaveCount(10);
  await expect(news.getByText(/^(Market|Crypto|Stocks|Economy)$/)).toHaveCount(10);

  for (const platform of ['Twitter', 'Reddit', 'Telegram', 'Discord']) {
    await expect(social.getByRole('heading', { name: platform })).toBeVisible();
    await expect(
      social.getByRole('list', { name: `What ${platform} talks about` }).getByRole('listitem'),
    ).toHaveCount(3);
  }

  const headline = news.getByRole('link').first();
  const symbol = new URL((await headline.getAttribute('href')) ?? '', page.url()).searchParams.get('symbol');
  await headline.click();
  await expect(page).toHaveURL(/\/trading\?/);
  await expect(page.getByRole('heading', { level: 1, name: `Trading ${symbol}` })).toBeAttached();
  expect(errors).toEqual([]);
});

test('DASH-11, DASH-19, DASH-32, DASH-35, DASH-38: each widget is read again once in its stated interval while it is seen', async ({
  page,
}) => {
  await page.clock.install();
  const reads = new Map<string, number>();
  page.on('response', (response) => {
    const name = /\/rpc\/(get_\w+)$/.exec(new URL(response.url()).pathname)?.[1];
    if (name !== undefined) reads.set(name, (reads.get(name) ?? 0) + 1);
  });
  const readsOf = (name: string) => reads.get(name) ?? 0;
  const expectBeat = async (name: string, seconds: number) => {
    const before = readsOf(name);
    await page.clock.runFor(seconds * 1_000);
    await expect.poll(() => readsOf(name), name).toBe(before + 1);
  };
  await logIn(page, 'trader@fulcrum.local');
  await page.goto('/dashboard');
  const isRead = (name: string) => expect.poll(() => readsOf(name), name).toBeGreaterThan(0);
  await isRead('get_market_sentiment');
  await isRead('get_fear_and_greed');
  // From here on time passes only as it is told to.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
  await expectBeat('get_market_sentiment', 5);
  await expectBeat('get_fear_and_greed', 30);

  await page.locator('#news').scrollIntoViewIfNeeded();
  // A row that has just arrived is drawn a moment later.
  await expect(async () => {
    await page.clock.runFor(500);
    expect(readsOf('get_social_sentiment')).toBeGreaterThan(0);
  }).toPass({ timeout: 45_000 });
  for (const [name, seconds] of [
    ['get_economic_calendar', 60],
    ['get_news_feed', 30],
    ['get_social_sentiment', 30],
  ] as const) {
    await isRead(name);
    await expectBeat(name, seconds);
  }
});
