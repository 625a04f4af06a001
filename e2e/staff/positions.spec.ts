/** Positions for staff: live, filtered, sorted, edited from their row, and exported as a file. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

const username = 'rows-of-mine';

async function open(trader: ApiUser, symbol: string, side: 'BUY' | 'SELL', size: number): Promise<string> {
  const order = { p_symbol: symbol, p_side: side, p_size: size, p_leverage: 10 };
  const { status, body } = await trader.ask('rpc/open_position', order);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { id: string }).id;
}
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rowsOf = (page: Page, name: string) => panel(page, name).getByRole('row');

test('ADMIN-15, ADMIN-16, ADMIN-23, ADMIN-74, ADMIN-75, ADMIN-76, ADMIN-77, A76, A77, A78: one user’s positions, from the list of users to the file', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const trader = await ApiUser.register(fulcrum.url, username);
  const closing = [await open(trader, 'BTCUSDT', 'BUY', 0.01), await open(trader, 'ETHUSDT', 'SELL', 0.2)];
  for (const id of closing) await trader.ask('rpc/close_position', { p_position_id: id });
  await open(trader, 'BTCUSDT', 'SELL', 0.02);
  await open(trader, 'ETHUSDT', 'BUY', 0.3);
  await signIn(page, 'admin@fulcrum.local');

  await test.step('"view positions" in the Overview shows their owner, live', async () => {
    await expect(rowsOf(page, 'Closed Positions').filter({ hasText: username })).toHaveCount(2);
    const users = panel(page, 'Users').getByRole('row', { name: username });
    await users.getByRole('button', { name: `View positions of ${username}` }).click();
    await expect(page.getByRole('heading', { name: `Positions of ${username}`, exact: true })).toBeFocused();
    await expect(page).toHaveURL(new RegExp(`positions=${trader.id}`));
    const live = rowsOf(page, `Open Positions - ${username}`);
    await expect(live).toHaveCount(3);
    // All three tables of the view depend on it.
    await expect(panel(page, 'Users').getByRole('table')).toBeVisible();
    await expect(users).toBeVisible();
    await expect(panel(page, `Closed Positions - ${username}`).getByRole('table')).toBeVisible();
    for (const row of [live.nth(1), live.nth(2)]) {
      const cells = await row.getByRole('cell').allTextContents();
      const [, side, entry, mark, size, , pnl] = cells.map((text) =>
        text.replaceAll(',', '').replace('−', '-'),
      );
      expect(['BUY', 'SELL']).toContain(side);
      const sign = side === 'BUY' ? 1 : -1;
      // Figures of one moment, each rounded as shown.
      expect(Math.abs(sign * (Number(mark) - Number(entry)) * Number(size) - Number(pnl))).toBeLessThan(0.02);
    }
  });

  const open_ = `Open Positions - ${username}`;
  const closed = `Closed Positions - ${username}`;
  await test.step('search, days and order are in the address, and are announced', async () => {
    await panel(page, closed).getByLabel('Symbol of closed positions').fill('eth');
    await expect(rowsOf(page, closed)).toHaveCount(2);
    await expect(page).toHaveURL(/closed_symbol=eth/);
    await panel(page, closed).getByLabel('To', { exact: true }).fill('2020-01-01');
    await expect(panel(page, closed)).toContainText('No closed positions found');
    await page.reload();
    await expect(panel(page, closed).getByLabel('To', { exact: true })).toHaveValue('2020-01-01');
    await panel(page, closed).getByRole('button', { name: 'Clear filters' }).click();
    await expect(rowsOf(page, closed)).toHaveCount(3);
    await expect(rowsOf(page, open_)).toHaveCount(3);

    // Two changes before the page renders again, as under load: neither reverts the other.
    await panel(page, closed).evaluate(async (region) => {
      for (const day of region.querySelectorAll('input[type=date]')) {
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(day), 'value')?.set?.call(day, '2020-01-01');
        day.dispatchEvent(new Event('input', { bubbles: true }));
        // Long enough for the router, which resolves promises, and too short for React, which waits for a task of its own.
        for (let i = 0; i < 100; i += 1) await null;
      }
    });
    await expect(page).toHaveURL(/closed_from=2020-01-01&closed_to=2020-01-01/);
    await panel(page, closed).getByRole('button', { name: 'Clear filters' }).click();
    await expect(rowsOf(page, closed)).toHaveCount(3);

    const bySymbol = panel(page, open_).getByRole('columnheader', { name: 'Symbol' });
    await bySymbol.getByRole('button').press('Enter');
    await expect(bySymbol).toHaveAttribute('aria-sort', 'ascending');
    await expect(rowsOf(page, open_).nth(1)).toContainText('BTCUSDT');
    await expect(panel(page, open_).getByText('Sorted by symbol, ascending')).toBeAttached();
    await bySymbol.getByRole('button').press('Enter');
    await expect(rowsOf(page, open_).nth(1)).toContainText('ETHUSDT');
  });

  await test.step('X-17, X-18, X-19: the file is what the filter shows', async () => {
    await panel(page, closed).getByLabel('Symbol of closed positions').fill('btc');
    await expect(rowsOf(page, closed)).toHaveCount(2);
    const download = page.waitForEvent('download');
    await panel(page, closed).getByRole('button', { name: 'CSV Export of closed positions' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(new RegExp(`^closed_positions_${username}_\\d{8}\\.csv$`));
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^BTCUSDT,BUY,[\d.]+,[\d.]+,0\.01,10,-?[\d.]+,-?[\d.]+,"\w{3} \d{2}, \d{4}"$/);
    const other = page.waitForEvent('download');
    await panel(page, open_).getByRole('button', { name: 'CSV Export of open positions' }).click();
    expect((await other).suggestedFilename()).toMatch(
      new RegExp(`^open_positions_${username}_\\d{8}\\.csv$`),
    );
  });

  await test.step('a row is edited from its own button, and the focus comes back to it', async () => {
    const edit = panel(page, closed).getByRole('button', { name: `Edit position BTCUSDT of ${username}` });
    await edit.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('BTCUSDT');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(edit).toBeFocused();
  });

  await test.step('back to all users', async () => {
    await page.getByRole('button', { name: `Close positions of ${username}` }).click();
    await expect(rowsOf(page, 'Closed Positions').filter({ hasText: username })).not.toHaveCount(0);
    await expect(page).not.toHaveURL(/positions=/);
  });

  await test.step('a new one waits while the pointer is on the rows; on a phone they are blocks', async () => {
    await page.goto(`/admin/users/${trader.id}?section=positions`);
    await rowsOf(page, open_).nth(1).hover();
    await open(trader, 'BTCUSDT', 'BUY', 0.05);
    const waiting = panel(page, open_).getByRole('button', { name: 'Show 1 change' });
    await expect(waiting).toBeVisible({ timeout: 40_000 });
    await expect(rowsOf(page, open_)).toHaveCount(3);
    // By key: a pointer that leaves the rows lets the change in by itself.
    await waiting.press('Enter');
    await expect(rowsOf(page, open_)).toHaveCount(4);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(panel(page, open_).getByRole('list', { name: open_ }).getByRole('listitem')).toHaveCount(3);
  });
  expect(errors).toEqual([]);
});
