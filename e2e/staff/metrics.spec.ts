/** The metrics page: ranges, charts with their tables, and the transactions a page at a time. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

const recent = (page: Page) => page.getByRole('region', { name: 'Recent Transactions' });

test('METR-01, METR-02, METR-04 … METR-06, METR-10, METR-11, METR-15, ERR-69: ranges in the address, All Time first; each chart has its table; transactions newest first', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const [admin, trader, gone] = await Promise.all([
    ApiUser.signIn(fulcrum.url, 'admin'),
    ApiUser.register(fulcrum.url, 'still_there'),
    ApiUser.register(fulcrum.url, 'soon_gone'),
  ]);
  const p_reason = 'For the metrics';
  await admin.call('delete_user_with_data', { p_user_id: gone.id, p_reason });
  await admin.call('adjust_wallet_balance', { p_user_id: trader.id, p_amount: -25.5, p_reason });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin/metrics' });
  await expect(page).toHaveTitle('Metrics · Fulcrum');
  const ranges = page.getByRole('radiogroup', { name: 'Range' });
  await expect(ranges.getByRole('radio')).toHaveCount(4);
  await expect(ranges.getByRole('radio', { name: 'All Time' })).toBeChecked();

  const table = recent(page);
  await expect(table.getByRole('columnheader')).toHaveText([
    'Date',
    'User',
    'Type',
    'Amount',
    'Status',
    'Description',
  ]);
  const row = table.getByRole('row').filter({ hasText: 'Deposit' }).first();
  await expect(row).toContainText(/[A-Z][a-z]{2} \d{2}, \d{4} \d{2}:\d{2}/);
  await expect(row).toContainText(/\+\$[\d,]+\.\d{2}/);
  await expect(row).toContainText('Completed');

  // Newest first; withdrawals are red, deposits green, and a deleted account is unknown.
  const latest = table.getByRole('row').nth(1);
  await expect(latest).toContainText('still_there');
  await expect(latest.getByText('−$25.50')).toHaveClass(/text-down/);
  await expect(row.getByText(/^\+\$/)).toHaveClass(/text-up/);
  await expect(table.getByRole('cell', { name: 'Unknown', exact: true }).first()).toBeVisible();

  const volume = page.getByRole('region', { name: 'Volume', exact: true });
  await volume.getByRole('button', { name: 'Table of Volume' }).click();
  await expect(volume.getByRole('columnheader')).toHaveText([/Day|Month/, 'Volume']);
  await volume.getByRole('button', { name: 'Chart of Volume' }).click();
  const bars = volume.getByRole('slider', { name: 'Volume' });
  await bars.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(bars).toHaveAttribute('aria-valuetext', /Volume/);

  await ranges.getByRole('radio', { name: 'Last 7 Days' }).click();
  await expect(page).toHaveURL(/range=7d$/);
  await page.reload();
  await expect(ranges.getByRole('radio', { name: 'Last 7 Days' })).toBeChecked();
  await volume.getByRole('button', { name: 'Table of Volume' }).click();
  await expect(volume.getByRole('row')).toHaveCount(8);
  expect(errors).toEqual([]);
});
