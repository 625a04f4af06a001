/** The public pages. identity/routes.spec.ts tests which header each role sees above them. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { pressRetry } from '../harness/steps.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('PUB-06, PUB-07, PUB-08, PUB-10, A96: about, terms and privacy are plain text, the latter two with their date', {
  tag: '@core',
}, async ({ page }) => {
  for (const [path, title, updated] of [
    ['/about', 'About Us', false],
    ['/terms', 'Terms of Service', true],
    ['/privacy', 'Privacy Policy', true],
  ] as const) {
    await page.goto(path);
    await expect(heading(page)).toHaveText(title);
    await expect(page).toHaveTitle(`${title} · Fulcrum`);
    await expect(page.getByText('Last updated: March 11, 2025')).toHaveCount(updated ? 1 : 0);
  }
  await page.goto('/about');
  await expect(page.getByRole('main')).toContainText('crypto, stocks, forex, commodities and indices');
  await expect(page.getByRole('main')).toContainText('simulated USDT');
});

test('CONT-01: the contact page has a card for each way to reach the operator', async ({ page }) => {
  const details = page.getByRole('list', { name: 'Contact details' });
  await page.goto('/contact');
  await expect(heading(page)).toHaveText('Contact');
  // This server names neither an address nor a number, so there is no card for them.
  await expect(details.getByRole('heading')).toHaveText(['Support']);
  await expect(details.getByRole('link', { name: 'Go to Support' })).toHaveAttribute('href', '/chat');

  await page.route('**/config.json', async (route) => {
    const answer = await route.fetch();
    const named = { contactEmail: 'desk@example.test', contactPhone: '+1 (234) 567-8900' };
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...named } });
  });
  await page.reload();
  await expect(details.getByRole('link', { name: 'desk@example.test' })).toHaveAttribute(
    'href',
    'mailto:desk@example.test',
  );
  await expect(details.getByRole('link', { name: '+1 (234) 567-8900' })).toHaveAttribute(
    'href',
    'tel:+12345678900',
  );

  await expect(details.getByRole('heading')).toHaveText(['Email', 'Phone', 'Support']);

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route('**/config.json', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The contact details could not be read');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await pressRetry(page);
  await expect(details.getByRole('heading')).toHaveText(['Support']);
});

test('ROUTE-34: with the keyboard one skips the header, and going on puts the focus into the page', async ({
  page,
}) => {
  await page.goto('/about');
  await expect(heading(page)).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const home = page.getByRole('banner').getByRole('link', { name: 'Fulcrum, home' });
  await home.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await expect(page.getByRole('main')).toBeFocused();
});
