/** A challenge from its creation to its verdict, for an admin and a trader. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { traderPassword } from '../harness/passwords.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'challenges' });

const sizes = [
  { width: 320, height: 800 },
  { width: 1440, height: 900 },
] as const;

/** At each size nothing is cut sideways. */
async function fits(page: Page): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect
      .poll(() => page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth))
      .toBe(0);
  }
}

test('A112: an admin makes a challenge of two steps, a trader starts it, passes one step and breaks a limit of the next', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  await signIn(page, 'admin@fulcrum.local', { at: '/admin/contests' });
  await expect(page.getByText('No challenges now')).toBeVisible();
  await page.getByRole('button', { name: 'New challenge' }).click();
  const form = page.getByRole('dialog', { name: 'New challenge' });
  await form.getByLabel('Maximum loss, %').fill('0');
  await form.getByRole('button', { name: 'Create challenge' }).click();
  await expect(form.getByText('Give the challenge a name.')).toBeVisible();
  await expect(form.getByText('Type per cent up to 100, such as 5.')).toBeVisible();
  await form.getByLabel('Name', { exact: true }).fill('Two steps');
  // Any gain passes the first step; the cost of opening breaks the limit of the second.
  await form.getByLabel('Profit target, %').fill('0.01');
  await form.getByLabel('Maximum loss, %').fill('50');
  await form.getByLabel('Daily loss, %').fill('');
  await form.getByLabel('Least trading days').fill('0');
  await form.getByLabel('Attempts of a trader').fill('2');
  await form.getByRole('button', { name: 'Add a step' }).click();
  const second = form.getByRole('group', { name: 'Step 2' });
  await second.getByLabel('Profit target, %').fill('20');
  await second.getByLabel('Maximum loss, %').fill('0.01');
  await second
    .getByLabel('Floor of the maximum loss')
    .selectOption('Trailing the highest equity, open gains too');
  await form.getByRole('button', { name: 'Create challenge' }).click();
  const view = page.getByRole('region', { name: 'Two steps' });
  await expect(view.getByText('0.01 % below the highest equity')).toBeVisible();
  await expect(view.getByText('No attempts yet')).toBeVisible();
  await fits(page);

  const zoe = await ApiUser.register(fulcrum.url, 'challenge_zoe');
  await signIn(page, `${zoe.username}@example.test`, { password: traderPassword, at: '/contests' });
  await page.getByRole('button', { name: 'Show Two steps' }).click();
  await view.getByRole('button', { name: 'Start attempt' }).click();
  const start = page.getByRole('dialog', { name: 'Start Two steps?' });
  await expect(start.getByText('This is attempt 1 of 2.')).toBeVisible();
  await start.getByRole('button', { name: 'Start attempt' }).click();
  const attempt = view.getByRole('article', { name: 'Attempt 1' });
  await expect(attempt.getByText('0.00 of 1.00 USDT')).toBeVisible();
  await expect(attempt.getByText('5,000.00 above 5,000.00 USDT')).toBeVisible();
  await fits(page);

  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const move = (p_percent: number) =>
    admin.call('shock_price', { p_symbol: 'DOGEUSDT', p_percent, p_reason: 'A journey' });
  const inAccountOf = async (ending: string): Promise<ApiUser> => {
    const accounts = await zoe.call<{ id: string; name: string }[]>('list_accounts', {});
    return zoe.inAccount(accounts.find(({ name }) => name.endsWith(ending))?.id ?? '');
  };
  const order = { p_symbol: 'DOGEUSDT', p_side: 'BUY', p_size: 5000, p_leverage: 10 };
  const inFirst = await inAccountOf('#1');
  const { id } = await inFirst.call<{ id: string }>('open_position', order);
  await move(5);
  // The move is in the price, and the open gain passes nothing.
  await expect(attempt.getByText(/^5,(0[2-9]|[1-9]\d)\d\.\d\d above 5,000\.00 USDT$/)).toBeVisible();
  await expect(attempt.getByText('0.00 of 1.00 USDT')).toBeVisible();
  await inFirst.call('close_position', { p_position_id: id });
  await expect(attempt.getByText('Passed', { exact: true })).toBeVisible();
  await expect(
    attempt.getByText(/^The profit of [\d.,]+ USDT reached the 1\.00 USDT that were needed/),
  ).toBeVisible();
  await expect(attempt.getByText('Step 2 of 2')).toBeVisible();

  await view.getByRole('button', { name: 'Open challenge account' }).click();
  await expect(page.getByRole('button', { name: 'Account: Two steps #2' })).toBeVisible();
  const inTrading = page.url();
  await page.goto(inTrading.replace('/trading', '/dashboard'));
  await expect(view.getByText('Step 2 of 2')).toBeVisible();
  await expect(view.getByText('0.00 of 2,000.00 USDT')).toBeVisible();
  await page.goto(inTrading);
  await (await inAccountOf('#2')).call('open_position', order);
  await move(-4);
  await page.goto(page.url().replace('/trading', '/contests'));
  await page.getByRole('button', { name: 'Show Two steps' }).click();
  await expect(attempt.getByText('Not passed: Maximum loss')).toBeVisible();
  await expect(
    attempt.getByText(/^The equity of [\d.,]+ USDT is not above the floor: [\d.,]+ USDT − 1\.00 USDT = /),
  ).toBeVisible();
  await expect(
    attempt.getByText(/^Open positions were closed at DOGEUSDT [\d.]+, the prices that decided\.$/),
  ).toBeVisible();
  await fits(page);
  expect(errors).toEqual([]);
});
