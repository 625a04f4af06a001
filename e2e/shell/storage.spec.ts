/** A browser that keeps nothing for this site, or has no room left, is still one to trade with. */
import { expect, test } from '../support/fulcrum.ts';
import { logIn, watchErrors } from '../support/steps.ts';

test('a full storage stops neither the pair, nor the order that is confirmed with "Do not ask again"', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function setItem(key, text) {
      // The session was there before the storage was full; the probe is how its library finds out.
      if (key !== 'fulcrum-session' && !key.startsWith('lswt-')) {
        throw new DOMException('no room', 'QuotaExceededError');
      }
      set.call(this, key, text);
    };
  });
  const errors = watchErrors(page);
  await logIn(page, 'trader@fulcrum.local');
  await page.goto('/trading?symbol=ETHUSDT');
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.1');
  await page.getByRole('button', { name: 'Buy/Long' }).click();
  const question = page.getByRole('dialog', { name: 'Buy/Long' });
  await question.getByRole('checkbox', { name: 'Do not ask again' }).check();
  await question.getByRole('button', { name: 'Buy/Long' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText(/^Long 0\.1\S* ETHUSDT opened at/).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('a blocked storage does not keep a visitor waiting for a session', async ({ page }) => {
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    Object.defineProperty(globalThis, 'localStorage', { get });
    Object.defineProperty(globalThis, 'sessionStorage', { get });
  });
  const errors = watchErrors(page);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});
