/** An exchange falls by 40 % at once, not confirmed yet: the options of a position meanwhile (A106, A110). */
import { expect, test } from '../harness/providers.ts';
import { signUp } from '../harness/session.ts';
import { openMarket, positionRow, savePicture } from '../harness/steps.ts';

test.use({ serverFor: 'next-price' });

const symbol = 'BTCUSDT';
const staleText = 'Price is stale. Trading resumes with the next price.';

let wobbling: NodeJS.Timeout | undefined;
test.afterEach(() => clearInterval(wobbling));

test('A110, ENG-3: a held price closes nothing; a requested close takes the next accepted price', async ({
  page,
  providers: { exchange },
}) => {
  const row = positionRow(page, symbol);
  const atOnce = row.getByRole('button', { name: 'Close BTCUSDT long', exact: true });
  const atNext = row.getByRole('button', { name: 'Close at next price, BTCUSDT long' });
  const undo = row.getByRole('button', { name: 'Undo close at next price, BTCUSDT long' });

  await signUp(page, 'patient', { at: '/trading?symbol=ETHUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.1', leverage: 10 });
  await page.goto(`/trading?symbol=${symbol}`);
  await openMarket(page, { side: 'Buy/Long', amount: '0.1', leverage: 1 });

  await test.step('the dialog that is open when it falls closes nothing any more', async () => {
    await atOnce.click();
    const question = page.getByRole('dialog', { name: 'Close BTCUSDT long?' });
    await expect(question).toBeVisible();
    // Never twice within 1 %, so that the guard confirms none of them.
    let isLower = false;
    wobbling = setInterval(() => {
      isLower = !isLower;
      exchange.report(symbol, isLower ? '36000.00' : '38400.00');
    }, 300);
    await expect(question).toContainText(staleText);
    await expect(question.getByRole('button', { name: 'Close position' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await question.getByRole('button', { name: 'Keep it open' }).click();
    await expect(page.getByRole('complementary', { name: 'Order' }).getByText(staleText)).toBeVisible();
  });

  await test.step('all others are closed, and this one is reported to stay', async () => {
    await page.getByRole('button', { name: /^Close all/ }).click();
    const all = page.getByRole('dialog', { name: 'Close all positions?' });
    await expect(all.getByRole('listitem').filter({ hasText: symbol })).toContainText(
      'Price held back, stays open',
    );
    await all.getByRole('button', { name: 'Close 1 position' }).click();
    await expect(page.getByText('1 stay open: their price is held back.')).toBeVisible();
    await expect(positionRow(page, 'ETHUSDT')).toBeHidden();
  });

  await test.step('the close is requested, withdrawn, and requested again', async () => {
    const dialog = page.getByRole('dialog', { name: 'Close BTCUSDT long at the next price?' });
    const ask = async () => {
      await atNext.click();
      await expect(dialog).toContainText(staleText);
      await expect(dialog).toContainText('at the next price that is accepted?');
      await savePicture(page, 'close-at-next-price');
      await dialog.getByRole('button', { name: 'Close at next price' }).click();
      await expect(dialog).toBeHidden();
      await expect(row).toContainText('Closes at next price');
    };
    await ask();
    await savePicture(page, 'closes-at-next-price');
    await undo.click();
    await expect(row).not.toContainText('Closes at next price');
    await ask();
  });

  await test.step('the price is confirmed', async () => {
    clearInterval(wobbling);
    exchange.set(symbol, '38400.00');
    await expect(page.getByText('No open positions')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Position History' }).click();
    await expect(positionRow(page, symbol)).toContainText('38,400.00');
    await page.getByRole('button', { name: /^Notifications, / }).click();
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toContainText(
      'Closed at the next price: BUY 0.1 BTCUSDT was closed at 38400.00, PnL -2560.00 USDT.',
    );
  });
});
