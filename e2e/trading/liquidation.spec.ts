/** After a liquidation: its notice and its card; around it the order of the rows and the keys of the panel. */
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, savePicture } from '../harness/steps.ts';

test('liquidation: the card shows the path and what a stop would have saved; rows sort; keys ask for their actions', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'liquidated', { at: '/trading?symbol=DOGEUSDT' });
  const open = (symbol: string, leverage: number, size: number) =>
    callApi(page, 'rpc/open_position', {
      p_symbol: symbol,
      p_side: 'BUY',
      p_size: size,
      p_leverage: leverage,
    });
  await open('XRPUSDT', 3, 100);
  await open('DOGEUSDT', 20, 1000);
  const table = page.getByRole('table', { name: 'Open positions' });
  const symbols = () => table.getByRole('row').getByRole('button', { name: /^\w+USDT$/ });
  const dialog = page.getByRole('dialog');

  await test.step('a header sorts, reverses, and gives the own order back', async () => {
    await expect(symbols()).toHaveText([/DOGEUSDT/, /XRPUSDT/]);
    const head = table.getByRole('columnheader', { name: 'Symbol' });
    const press = () => head.getByRole('button').click();
    await press();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await press();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect(symbols()).toHaveText([/XRPUSDT/, /DOGEUSDT/]);
    await press();
    await expect(head).not.toHaveAttribute('aria-sort');
    await expect(symbols()).toHaveText([/DOGEUSDT/, /XRPUSDT/]);
  });

  await test.step('keys of the panel are off until they are switched on, and ask as the buttons do', async () => {
    await page.keyboard.press('x');
    await expect(dialog).toBeHidden();
    await page.keyboard.press('?');
    await dialog.getByRole('switch', { name: 'Trading keys' }).click();
    await dialog
      .getByRole('button', { name: 'Change the key of Close the position of this pair: X' })
      .click();
    const changer = dialog.getByRole('button', {
      name: 'Press the new key of Close the position of this pair',
    });
    await changer.press('c');
    await expect(
      dialog.getByText("C is the key of 'Cancel the last order'. Press another one."),
    ).toBeVisible();
    await changer.press('q');
    await expect(
      dialog.getByRole('button', { name: /^Change the key of Close the position.*: Q$/ }),
    ).toBeFocused();
    await savePicture(page, 'trading-keys');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.reload();
    await expect(symbols()).toHaveCount(2);
    await page.keyboard.press('x');
    await expect(dialog).toBeHidden();
    for (const [key, title] of [
      ['q', /^Close DOGEUSDT/],
      ['r', 'Reverse DOGEUSDT long?'],
      ['Shift+X', 'Close all positions?'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    }
  });

  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  await admin.call('shock_price', { p_symbol: 'DOGEUSDT', p_percent: -8, p_reason: 'A journey' });
  await expect(symbols()).toHaveText([/XRPUSDT/]);
  const notice = page.getByRole('listitem').filter({ hasText: 'Liquidation: BUY 1000 DOGEUSDT' });
  // It stays until the user closes it.
  await expect(notice.getByRole('button', { name: 'Close toast' })).toBeVisible();

  const card = page.getByRole('dialog', { name: 'DOGEUSDT long: liquidated' });
  await test.step('the notification leads to the card; its stop decides what would be left', async () => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('link', { name: 'What happened?' }).click();
    await expect(card).toBeVisible();
    await expect(page).not.toHaveURL(/liquidation=/);
    await expect(card.getByRole('img', { name: /DOGEUSDT .*Entry at .*exit at .*stop at / })).toBeVisible();
    const stopped = card.getByRole('region', { name: 'With a stop loss' });
    await expect(stopped.getByRole('radio', { name: '1%', exact: true })).toBeChecked();
    // The liquidation is 4.75 % away: no stop stands beyond it.
    await expect(stopped.getByRole('radio')).toHaveCount(5);
    const saved = stopped.getByRole('definition').nth(2);
    const before = await saved.textContent();
    await stopped.getByRole('radio', { name: '2%', exact: true }).check();
    await expect(saved).not.toHaveText(before ?? '');
    await savePicture(page, 'liquidation-card');
    await page.keyboard.press('Escape');
    await expect(card).toBeHidden();
  });

  await test.step('on a phone the badge in the history opens it again, and it leads to the journal', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Position History' }).click();
    await page.getByRole('button', { name: 'Liquidated: what happened to DOGEUSDT long?' }).click();
    await expect(card.getByRole('img')).toBeVisible();
    const { width, right } = await card.evaluate((element) => ({
      width: element.scrollWidth - element.clientWidth,
      right: element.getBoundingClientRect().right,
    }));
    expect([width, right <= 390]).toEqual([0, true]);
    await savePicture(page, 'liquidation-card-phone');
    await card.getByRole('link', { name: 'Write it down' }).click();
    await expect(page).toHaveURL(/\/dashboard/);
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible();
    await expect(page.getByText(/DOGEUSDT/).first()).toBeVisible();
  });
  expect(errors, 'errors of the page').toEqual([]);
});
