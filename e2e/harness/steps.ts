/** Steps that several journeys share. Figures are read back from the page as numbers. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './fulcrum.ts';
import { demoPassword, traderPassword } from './passwords.ts';

export { demoPassword };

export async function logIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** A name belongs to one journey: those of one configuration share a server. */
export async function register(page: Page, username: string): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Phone number').fill('+12345678900');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(traderPassword);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(traderPassword);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

/** Call before the page loads: resolves when it has joined its user's topic, so that what is announced from then on reaches it. */
export const topicJoined = (page: Page): Promise<void> =>
  new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/realtime:user:.*phx_reply/.test(`${payload}`)) resolve();
      }),
    );
  });

/** Sets leverage with the keyboard: Home is 1, each arrow one more. */
export async function setLeverage(page: Page, leverage: number): Promise<void> {
  const slider = page.getByRole('slider', { name: 'Leverage' });
  await slider.press('Home');
  for (let i = 1; i < leverage; i += 1) await slider.press('ArrowRight');
}

/**
 * Presses a `Retry` that is on screen. The page retries by itself too: when that was quicker, the button is gone and its
 * content is there.
 */
export async function pressRetry(scope: Page | Locator): Promise<void> {
  const retry = scope.getByRole('button', { name: 'Retry' }).first();
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 5_000 });
  }).toPass();
}

export type SideName = 'Buy/Long' | 'Sell/Short';

/** Presses one of the two buttons and confirms the dialog; the order is on its way. */
export async function sendOrder(page: Page, side: SideName): Promise<void> {
  await page.getByRole('button', { name: side }).click();
  const question = page.getByRole('dialog', { name: side });
  await question.getByRole('button', { name: side }).click();
  await expect(question).toBeHidden();
}

export async function openMarket(
  page: Page,
  order: { side: SideName; amount: string; leverage: number },
): Promise<void> {
  await page.getByRole('spinbutton', { name: 'Amount' }).fill(order.amount);
  await setLeverage(page, order.leverage);
  await sendOrder(page, order.side);
}

/** Moves the focus to `target` by Tab, as a user without a mouse does; Shift+Tab goes back. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const isThere = () => target.evaluate((element) => element.ownerDocument.activeElement === element);
  for (let presses = 0; !(await isThere()); presses += 1) {
    if (presses > 60) throw new Error(`${key} does not reach ${target}`);
    await page.keyboard.press(key);
  }
}

/** The row of an open or closed position in the visible table. */
export const positionRow = (page: Page, symbol: string): Locator =>
  page.getByRole('row').filter({ hasText: symbol });

/** `+1,234.56` or `−0.72` of a cell as a number. */
export async function figureOf(cell: Locator): Promise<number> {
  const text = (await cell.textContent()) ?? '';
  const figure = text
    .replaceAll(',', '')
    .replaceAll('−', '-')
    .match(/[+-]?\d+(\.\d+)?/);
  if (!figure) throw new Error(`no figure in '${text}'`);
  return Number(figure[0]);
}

/** A picture of a screen to look at: nothing compares it, so it is only taken where `SCREENS` is set. */
export async function savePicture(
  page: Page,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<void> {
  if (process.env.SCREENS) await page.screenshot({ ...options, path: `test-results/screens/${name}.png` });
}

export const setTheme = (page: Page, theme: string): Promise<void> =>
  page.locator('html').evaluate((html, chosen) => html.setAttribute('data-theme', chosen), theme);

/** The same in both themes at these widths. */
export async function savePictures(
  page: Page,
  name: string,
  { widths = [390, 1440], shown }: { readonly widths?: readonly number[]; readonly shown?: Locator } = {},
): Promise<void> {
  if (!process.env.SCREENS) return;
  const before = page.viewportSize();
  for (const theme of ['dark', 'light']) {
    await setTheme(page, theme);
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 1000 });
      await shown?.scrollIntoViewIfNeeded();
      await savePicture(page, `${name}-${theme}-${width}`);
    }
  }
  if (before) await page.setViewportSize(before);
}

/** At each of these widths nothing is cut sideways. */
export async function expectToFit(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
    await expect
      .poll(() => page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth))
      .toBe(0);
  }
}

/** Errors that a page must not have: thrown ones, console errors, refusals of the content policy. */
export function collectErrors(page: Page, expected: RegExp | null = null): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    const path = URL.parse(message.location().url)?.pathname ?? '';
    const text = `${message.text()} ${path}`;
    if (message.type() === 'error' && !expected?.test(text)) errors.push(text);
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}
