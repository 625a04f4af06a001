import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../harness/fulcrum.ts';

const assets = fileURLToPath(new URL('../../apps/web/dist/assets', import.meta.url));

test('the page of components is for development: the built app has neither it nor its code', async ({
  page,
}) => {
  await page.goto('/design');
  await expect(page).toHaveURL(/\/$/);
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts) {
    expect(name).not.toMatch(/design/i);
    expect(await readFile(`${assets}/${name}`, 'utf8')).not.toContain('Tables and their states');
  }
});
