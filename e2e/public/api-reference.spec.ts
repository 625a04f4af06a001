/** The API reference: shown from the server's own descriptions under the app's content policy, and nothing leaves for another host. */
import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test('A119: a visitor reads both interfaces; nothing is requested of another host and nothing breaks the policy', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await page.goto('/api-reference');
  await expect(page).toHaveTitle('API reference · Fulcrum');
  const operation = (path: string) => page.getByRole('navigation').getByText(path, { exact: true });
  await operation('/fapi/v1/leverage').click();
  await expect(page.getByText("The leverage of a symbol's position and next orders.").last()).toBeVisible();
  await expect(page.getByText('Signed; the key needs the scope')).toBeVisible();
  await test.step('it takes no key and sends nothing', async () => {
    await expect(page.getByRole('button', { name: /execute|try/i })).toHaveCount(0);
    await expect(page.locator('input[type=password]')).toHaveCount(0);
  });

  await test.step('its colours are those of the theme', async () => {
    const colour = () =>
      page
        .locator('openapi-explorer')
        .evaluate((viewer) => viewer.ownerDocument.defaultView.getComputedStyle(viewer).backgroundColor);
    expect(await colour()).toBe('rgb(11, 14, 19)');
    await page.locator('html').evaluate((html) => html.setAttribute('data-theme', 'light'));
    expect(await colour()).toBe('rgb(245, 246, 248)');
  });

  await test.step('the other interface, also by its address', async () => {
    await page.getByRole('radio', { name: 'REST' }).check({ force: true });
    await operation('/rest/v1/positions').first().click();
    await expect(page.getByText('Read rows of positions').last()).toBeVisible();
    await expect(page).toHaveURL(/route=get-\/rest\/v1\/positions$/);
    await page.reload();
    await expect(page.getByText('Read rows of positions').last()).toBeVisible();
    await expect(page.getByRole('link', { name: 'OpenAPI file' })).toHaveAttribute(
      'href',
      '/openapi/rest.json',
    );
  });

  await test.step('it fits from 320 px to 2560 px', async () => {
    for (const width of [320, 820, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const widths = () =>
        page
          .locator('html')
          .evaluate((html) => [
            html.scrollWidth,
            html.scrollHeight,
            html.ownerDocument.defaultView.innerWidth,
          ]);
      await expect.poll(widths).toEqual([width, 900, width]);
    }
  });
  expect([...hosts]).toEqual([fulcrum.url]);
  expect(errors).toEqual([]);
});

test('A119: Account Settings lead to it', async ({ page }) => {
  await signUp(page, 'reads_reference', { at: '/profile' });
  await page.getByRole('link', { name: 'API reference' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible();
});
