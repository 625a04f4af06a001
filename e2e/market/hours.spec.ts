/** A closed market on the screen. Tokyo and London are never open together, so one is closed at any time of any day. */
import { isMarketOpen, minuteMs, nextOpening } from '@fulcrum/domain';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { savePicture, sendOrder } from '../harness/steps.ts';

test.use({ serverEnv: { SESSIONS: 'honour' } });

interface Row {
  readonly symbol: string;
  readonly trading_hours: string;
}

test('A98: a closed market shows when it opens, takes no market order, freezes its chart, and lets a limit order wait', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'before_the_bell');
  const rows = await callApi<Row[]>(
    page,
    'trading_pairs?select=symbol,trading_hours&symbol=in.(NIKKEI,FTSE)',
  );
  const now = Date.now();
  const shut = rows.find(
    ({ trading_hours: hours }) =>
      !isMarketOpen(hours, now) && (nextOpening(hours, now) ?? now) > now + 10 * minuteMs,
  );
  if (!shut) throw new Error('one of the two is shut at any time');

  await page.goto(`/trading?symbol=${shut.symbol}`);
  const ticket = page.getByRole('complementary', { name: 'Order' });
  await expect(page.getByTitle(/^The market is closed/).first()).toContainText('Closed');
  await expect(page.getByTitle(/^The market is closed/).first()).toContainText('Simulated');
  await expect(ticket.getByText(/^Market is closed\. Opens in (\d+ (d|h|min) ?){1,2}$/)).toBeVisible();
  await expect(ticket.getByTitle(/^Opens on (Mon|Tues|Wednes|Thurs|Fri)day/).first()).toBeVisible();
  await savePicture(page, 'closed');

  const price = ticket.getByRole('definition').nth(1);
  await expect(price).toHaveText(/\d/);
  const frozen = await price.textContent();
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.1');
  await expect(ticket.getByRole('button', { name: 'Buy/Long' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('radio', { name: 'Limit', exact: true }).click();
  await page.getByRole('spinbutton', { name: 'Limit price' }).fill('1000');
  await sendOrder(page, 'Buy/Long');
  await expect(page.getByRole('tab', { name: /Open Orders/ })).toContainText('(1)');
  expect(await price.textContent()).toBe(frozen);
});
