/** The initial focus of the shared form dialog, in a page of its own: no screen has all of these forms. */
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../apps/web', import.meta.url));
const address = 'http://forms.test/';
let script = '';

test.beforeAll(async () => {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry: 'test/form-dialogs.tsx', formats: ['iife'], name: 'forms' } },
  });
  const [bundle] = [built].flat();
  if (!bundle || !('output' in bundle)) throw new Error('no bundle was built');
  script = bundle.output[0].code;
});

async function open(page: Page, form: string): Promise<Locator> {
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${address}#${form}`);
  await page.addScriptTag({ content: script });
  return page.getByRole('dialog', { name: 'Form' });
}

test('a field after radio buttons and a checkbox has the focus at first', async ({ page }) => {
  const dialog = await open(page, 'radio-first');
  await expect(dialog.getByRole('textbox', { name: 'Amount' })).toBeFocused();
});

test('a select before a text field has the focus at first', async ({ page }) => {
  const dialog = await open(page, 'select-first');
  await expect(dialog.getByRole('combobox', { name: 'Kind' })).toBeFocused();
});

test('without a field the dialog’s first control has the focus', async ({ page }) => {
  const dialog = await open(page, 'no-field');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
});
