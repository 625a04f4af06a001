/** The audit log in the browser: its content, its filters, and its pages. */

import { readFile } from 'node:fs/promises';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors, tabTo } from '../harness/steps.ts';

test.use({ serverFor: 'audit log' });

test('X-20: who did what to which user, with before and after; filters, pages and the unfolded entry are in the address', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const trader = await ApiUser.register(fulcrum.url, 'audit_zoe');
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const adjust = (amount: number) =>
    admin.call('adjust_wallet_balance', {
      p_user_id: trader.id,
      p_amount: amount,
      p_reason: `Ticket ${amount}`,
    });
  // The first and the last are looked for; those between come in any order.
  await adjust(1);
  await Promise.all(Array.from({ length: 52 }, (_, i) => adjust(i + 2)));
  await adjust(54);
  const { body } = await trader.ask('rpc/open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 10,
  });
  const { id, version } = body as { id: string; version: number };
  const edit = { leverage: 5, reason: 'Agreed with the trader', version };
  await admin.ask(`positions?id=eq.${id}`, edit, 'PATCH');

  await signIn(page, 'admin@fulcrum.local', { at: '/admin/audit' });
  await expect(page).toHaveTitle('Audit log · Fulcrum');
  const rows = page.getByRole('table', { name: 'Actions, newest first' }).getByRole('row');
  await expect(rows).toHaveCount(51);
  const status = page.getByRole('search').getByRole('status');
  await expect(status).toHaveText('50 actions on this page, older ones follow');

  // Before and after, by the keyboard; the address has it.
  const entry = page.getByRole('button', { name: 'Position edited' });
  await expect(entry).toHaveCount(1);
  await tabTo(page, entry);
  await page.keyboard.press('Enter');
  const changed = page.getByRole('table', { name: 'Changes' });
  await expect(changed.getByRole('row', { name: 'Leverage 10 5' })).toBeVisible();
  await expect(page).toHaveURL(/row=\d+/);
  await page.reload();
  await expect(changed.getByRole('row', { name: 'Leverage 10 5' })).toBeVisible();
  await expect(page.getByText('Agreed with the trader').first()).toBeVisible();

  // All about this object, then back.
  await page.getByRole('link', { name: 'All about this object' }).click();
  await expect(page).toHaveURL(new RegExp(`object=${id}`));
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/admin\/audit$/);

  // By name, by action, and by a name without a user.
  const about = page.getByRole('combobox', { name: 'About' });
  await about.fill('nobody_here');
  await about.press('Enter');
  await expect(status).toHaveText(
    'No user has the username or email "nobody_here". Choose a user from the list.',
  );
  // Two letters of any part bring suggestions; the arrows and Enter choose one.
  await about.fill('t_zo');
  const suggested = page.getByRole('listbox', { name: 'Users for about' }).getByRole('option');
  await expect(suggested).toHaveText([/^audit_zoe/]);
  await about.press('ArrowDown');
  await about.press('Enter');
  await expect(page).toHaveURL(new RegExp(`subject=${trader.id}`));
  await page.getByRole('button', { name: 'Clear about' }).click();
  await about.fill('audit_zoe@example.test');
  await about.press('Enter');
  await expect(about).toHaveValue('audit_zoe');
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Funds adjusted');
  await expect(page).toHaveURL(new RegExp(`subject=${trader.id}.*action=funds.adjust`));
  await expect(entry).toHaveCount(0);

  // Pages by where the last one ended, both ways.
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
  await expect(page.getByRole('cell', { name: 'Ticket 54' })).toBeVisible();
  await pages.getByRole('button', { name: 'Older' }).click();
  await expect(status).toHaveText('4 actions on this page, the oldest');
  await expect(page.getByRole('cell', { name: 'Ticket 1', exact: true })).toBeVisible();
  await pages.getByRole('button', { name: 'Newer' }).click();
  await expect(page.getByRole('cell', { name: 'Ticket 54' })).toBeVisible();
  await expect(rows).toHaveCount(51);
  // Back on the first page the log goes on: new actions are counted every 30 s, and shown on request.
  await expect(page).toHaveURL(/after=/);
  await adjust(55);
  await page.getByRole('button', { name: 'Show 1 new action' }).click({ timeout: 60_000 });
  await expect(page.getByRole('cell', { name: 'Ticket 55' })).toBeVisible();
  await expect(page).not.toHaveURL(/after=/);
  await pages.getByRole('button', { name: 'Older' }).click();
  await expect(status).toHaveText('5 actions on this page, the oldest');
  await pages.getByRole('button', { name: 'Newer' }).click();
  await expect(page.getByRole('cell', { name: 'Ticket 55' })).toBeVisible();
  await pages.getByRole('button', { name: 'Newest' }).click();
  await expect(page).not.toHaveURL(/after=/);
  await expect(page.getByRole('cell', { name: 'Ticket 55' })).toBeVisible();

  // A day without entries.
  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await expect(page.getByText('No actions match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(rows).toHaveCount(51);

  // On a phone the same as blocks, without scrolling sideways.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('list', { name: 'Actions, newest first' }).getByRole('listitem')).toHaveCount(
    50,
  );
  expect(
    await page.locator('html').evaluate((html) => html.scrollWidth <= html.clientWidth),
    'scrolls sideways',
  ).toBe(true);
  // The filters are behind one button.
  await expect(page.getByRole('combobox', { name: 'Actor' })).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('combobox', { name: 'Actor' })).toBeVisible();

  // On a wide screen the log is a link of the header, and what was filtered is saved as a file.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/admin?tab=wallets');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Position edited');
  await expect(rows).toHaveCount(2);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export the audit log' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^audit_\d{8}\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Agreed with the trader');
  expect(errors).toEqual([]);
});
