/** A position whose market closes: the options of its row meanwhile (A98), and the result at the reopening. */
import { hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from '../harness/providers.ts';
import { signUp } from '../harness/session.ts';
import { openMarket, positionRow, savePicture } from '../harness/steps.ts';

const symbol = 'MSFT';
/** A polled price takes a moment to be requested again. */
const soon = { timeout: 45_000 };

let staysShut: NodeJS.Timeout | undefined;
test.afterEach(() => clearInterval(staysShut));

test('A98: a close at the reopening is requested, withdrawn, requested again, and takes the first price', async ({
  page,
  providers: { quotes },
}) => {
  const row = positionRow(page, symbol);
  const atReopen = row.getByRole('button', { name: 'Close at reopen, MSFT long' });
  const undo = row.getByRole('button', { name: 'Undo close at reopen, MSFT long' });
  const dialog = page.getByRole('dialog', { name: 'Close MSFT long at the reopening?' });
  const ask = async () => {
    await atReopen.click();
    await dialog.getByRole('button', { name: 'Close at reopen' }).click();
    await expect(dialog).toBeHidden();
  };

  await signUp(page, 'leaver', { at: `/trading?symbol=${symbol}` });
  await expect(page.getByTitle(/^Live price from Yahoo/).first()).toContainText('Live', soon);
  await openMarket(page, { side: 'Buy/Long', amount: '1', leverage: 10 });
  await expect(row.getByRole('button', { name: 'Close MSFT long', exact: true })).toBeVisible();

  await test.step('the market shuts', async () => {
    // For a closed market a provider states when it opens, and the feed polls it again then. However long these steps
    // take, that is a minute away until the journey opens it.
    const shut = () => {
      const opensAt = Date.now() + minuteMs;
      quotes.list(symbol, { price: 400, session: { from: opensAt, to: opensAt + hourMs } });
    };
    shut();
    staysShut = setInterval(shut, 5_000);
    await expect(row).toContainText('Closed', soon);
    await atReopen.click();
    await expect(dialog).toContainText('Market is closed.');
    await expect(dialog).toContainText('at the first price after the market opens');
    await expect(dialog).toContainText('400.00');
    await savePicture(page, 'close-at-reopen');
    await dialog.getByRole('button', { name: 'Keep it open' }).click();
    await expect(row).not.toContainText('Closes at reopen');
  });

  await test.step('the wish is taken back, and uttered again', async () => {
    await ask();
    await expect(row).toContainText('Closes at reopen');
    await expect(undo).toBeFocused();
    await savePicture(page, 'closes-at-reopen');
    await undo.click();
    await expect(atReopen).toBeFocused();
    await expect(row).not.toContainText('Closes at reopen');
    await ask();
    await page.reload();
    await expect(row).toContainText('Closes at reopen');
  });

  await test.step('the market opens', async () => {
    clearInterval(staysShut);
    quotes.list(symbol, { price: 410 });
    await expect(page.getByText('No open positions')).toBeVisible({ timeout: minuteMs + soon.timeout });
    await page.getByRole('tab', { name: 'Position History' }).click();
    await expect(positionRow(page, symbol)).toContainText('410.00');
    await page.getByRole('button', { name: /^Notifications, 1 unread/ }).click();
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toContainText(
      'Closed at the next price: BUY 1 MSFT was closed at 410.00, PnL +10.00 USDT.',
    );
  });
});
