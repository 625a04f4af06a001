/** A browser that stores nothing for this site, or has no room left, can still trade. */
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

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
  const errors = collectErrors(page);
  await signIn(page, 'trader@fulcrum.local', { at: '/trading?symbol=ETHUSDT' });
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.1');
  await page.getByRole('button', { name: 'Buy/Long' }).click();
  const question = page.getByRole('dialog', { name: 'Buy/Long' });
  await question.getByRole('checkbox', { name: 'Do not ask again' }).check();
  await question.getByRole('button', { name: 'Buy/Long' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText(/^Long 0\.1\S* ETHUSDT opened at/).first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('a blocked storage does not delay the session of a visitor', async ({ page }) => {
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    Object.defineProperty(globalThis, 'localStorage', { get });
    Object.defineProperty(globalThis, 'sessionStorage', { get });
  });
  const errors = collectErrors(page);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  expect(errors).toEqual([]);
});
