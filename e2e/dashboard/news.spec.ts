/** Calendar, news and social sentiment for a trader: labelled, readable without colour, and linked to the market. */
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test('DASH-30, DASH-31, DASH-33, DASH-34, DASH-36, DASH-37: the synthetic feeds are labelled as simulated, and a headline leads to its market', async ({
  page,
}) => {
  const errors = collectErrors(page, /503/);
  await signIn(page, 'trader@fulcrum.local', { at: '/dashboard' });
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
