import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect, test } from './support/fulcrum.ts';
import { logIn, openMarket, positionRow } from './support/steps.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it stands, by WCAG 2.2 AA. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    }),
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

for (const theme of ['dark', 'light'] as const) {
  test(`X-12: public pages are accessible in the ${theme} theme`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const path of ['/', '/login', '/register']) {
      await page.goto(path);
      await page.locator('html').evaluate((html, name) => html.setAttribute('data-theme', name), theme);
      await expect(page.getByRole('heading').first()).toBeVisible();
      expect(await violations(page), `${path} in ${theme}`).toEqual([]);
    }
  });

  test(`X-12: the trader's pages are accessible in the ${theme} theme, on a desktop and on a phone`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await logIn(page, 'trader@fulcrum.local');
    await page.goto('/trading?symbol=BTCUSDT');
    if ((await positionRow(page, 'BTCUSDT').count()) === 0) {
      await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
      await expect(positionRow(page, 'BTCUSDT').first()).toBeVisible();
    }
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      for (const path of ['/dashboard', '/trading?symbol=BTCUSDT', '/wallet', '/profile']) {
        await page.goto(path);
        await page.locator('html').evaluate((html, name) => html.setAttribute('data-theme', name), theme);
        await expect(page.getByText(/\d/).first()).toBeVisible();
        const name = path.slice(1).split('?')[0];
        await page.screenshot({ path: `test-results/screens/${name}-${size.width}-${theme}.png` });
        expect(await violations(page), `${path} at ${size.width} in ${theme}`).toEqual([]);
      }
    }
  });
}
