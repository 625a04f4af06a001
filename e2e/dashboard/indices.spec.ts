/** Market Sentiment and the Fear & Greed Index for a trader: by sight, by keyboard, and while the server is down. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors, pressRetry } from '../harness/steps.ts';

const sentiment = (page: Page) => page.getByRole('region', { name: 'Market Sentiment' });
const index = (page: Page) => page.getByRole('region', { name: 'Fear & Greed Index' });
const signed = /[+\u2212]?\d+/;

test('DASH-11, DASH-12, DASH-14, A90: twelve hours on an axis of -50 to 50, read point by point by keyboard', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signIn(page, 'trader@fulcrum.local');
  const chart = sentiment(page).getByRole('slider', { name: 'Market sentiment by hour' });
  await expect(chart).toBeVisible();
  await expect(sentiment(page).getByText('12 hours', { exact: true })).toBeVisible();
  for (const value of ['+50', '+25', '0', '\u221225', '\u221250'])
    await expect(chart.getByText(value, { exact: true })).toBeVisible();
  const rows = sentiment(page).getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(1 + 12);
  for (const row of (await rows.all()).slice(1)) await expect(row.getByRole('cell')).toHaveText(signed);

  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(chart).toHaveAttribute('aria-valuenow', '10');
  await expect(chart).toHaveAttribute('aria-valuetext', /^\d\d:\d\d: /);
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('Escape');
  await expect(sentiment(page).getByText('12 hours', { exact: true })).toBeVisible();

  // The next beat brings all twelve, whatever they are by then.
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
  const points = Array.from({ length: 12 }, (_, hour) => ({
    hour: at(hour),
    value: hour === 3 ? null : hour - 4,
  }));
  await page.route('**/rpc/get_market_sentiment', (route) =>
    route.fulfill({ json: { points, breadth: 0, momentum: 0, markets: 50, as_of: at(12) } }),
  );
  await expect(rows.last().getByRole('cell')).toHaveText('+7');
  await expect(rows.nth(1).getByRole('cell')).toHaveText('\u22124');
  await expect(rows.nth(4).getByRole('cell')).toHaveText('not available');
  expect(errors, 'errors of the page').toEqual([]);
});

test('DASH-20, DASH-39, A41: the index shows its label and its inputs, names its failure and recovers', async ({
  page,
}) => {
  await page.route('**/rpc/get_fear_and_greed', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'fault', details: null, hint: null } }),
  );
  await signIn(page, 'trader@fulcrum.local');
  const failure = index(page).getByRole('alert');
  await expect(failure).toContainText('Failed to fetch Fear & Greed Index');
  await page.unroute('**/rpc/get_fear_and_greed');
  await pressRetry(failure);
  await expect(
    index(page)
      .getByText(/^(Extreme )?(Fear|Greed)$|^Neutral$/)
      .first(),
  ).toBeVisible();
  await expect(index(page).getByRole('definition')).toHaveText([/^\d+ \D+$/, /^\d+ \D+$/]);

  const opener = index(page).getByRole('button', { name: 'How it is made' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const breakdown = page.getByRole('dialog', { name: 'How the Fear & Greed Index is made' });
  await expect(breakdown.getByRole('rowheader')).toHaveText([
    'Volatility',
    'Momentum',
    'Breadth',
    'Long/short',
  ]);
  await expect(breakdown.getByText(/of 50 markets are above their price of 24 hours ago/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(breakdown).toBeHidden();
  await expect(opener).toBeFocused();

  // Whether five accounts have open positions is up to the journeys before this one; here they do not.
  const inputs = ['volatility', 'momentum', 'breadth', 'long_short'].map((name) =>
    name === 'long_short'
      ? { name, score: null, weight: 0, figure: null }
      : { name, score: 80, weight: name === 'momentum' ? 0.4 : 0.3, figure: 0.8 },
  );
  const greedy = {
    value: 75,
    inputs,
    yesterday: 60,
    last_week: null,
    markets: 50,
    as_of: new Date().toISOString(),
  };
  await page.route('**/rpc/get_fear_and_greed', (route) => route.fulfill({ json: greedy }));
  await page.reload();
  await expect(index(page).getByText('75', { exact: true })).toBeVisible();
  await expect(index(page).getByText('Extreme Greed', { exact: true })).toBeVisible();
  await expect(index(page).getByRole('definition')).toHaveText([/^60 Greed$/, /not available/]);
  await opener.press('Enter');
  await expect(
    breakdown.getByText('Left out: it counts once five main accounts have open positions.'),
  ).toBeVisible();
});

for (const width of [1440, 390]) {
  test(`figures that could not be refreshed show their age beneath an uncut title, at ${width}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, 'trader@fulcrum.local');
    const title = sentiment(page).getByRole('heading', { name: 'Market Sentiment' });
    await title.scrollIntoViewIfNeeded();
    await expect(sentiment(page).getByRole('slider')).toBeVisible();
    const readStyles = () =>
      title.evaluate((heading) => {
        const { top, width } = heading.getBoundingClientRect();
        const card = heading.closest('section')?.getBoundingClientRect();
        return { top: top - (card?.top ?? 0), width, isCut: heading.scrollWidth > heading.clientWidth };
      });
    const before = await readStyles();
    expect(before.isCut).toBe(false);
    await page.route('**/rpc/get_market_sentiment', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal', message: 'fault', details: null, hint: null } }),
    );
    const age = sentiment(page).getByText(/^\d+(?:\.\d)? s old$/);
    await expect(age).toBeVisible();
    expect(await readStyles()).toEqual(before);
    await page.unroute('**/rpc/get_market_sentiment');
    await expect(age).toBeHidden();
  });
}
