/** What axe finds on a page of WCAG 2.2 AA. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { setTheme } from './steps.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The themes differ in colours alone, so the second one gets only the checks that depend on them. */
export const themes = {
  dark: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  light: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const satisfies Record<string, RunOptions>;

/** On the page, or within a part of it. */
export async function violations(
  page: Page,
  rules: RunOptions = themes.dark,
  within = 'html',
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations: found } = await page.evaluate(
    ([selector, options]) =>
      (
        globalThis as unknown as { axe: { run: (selector: string, o: object) => Promise<AxeResults> } }
      ).axe.run(selector, options),
    [within, rules] as const,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** The same in each theme, with its name. */
export async function violationsInThemes(page: Page, within?: string): Promise<string[]> {
  const found: string[] = [];
  for (const [theme, rules] of Object.entries(themes)) {
    await setTheme(page, theme);
    found.push(...(await violations(page, rules, within)).map((one) => `in ${theme}: ${one}`));
  }
  return found;
}
