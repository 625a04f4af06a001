/** The trading journal: written, found again, changed in two places, and tied to a trade. */
import { readFile } from 'node:fs/promises';
import { dayMs } from '@fulcrum/domain';
import type { Page, Request } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, figureOf, openMarket, positionRow } from '../harness/steps.ts';

const journal = (page: Page) => page.getByRole('region', { name: 'Trading Journal' });
const form = (page: Page) => journal(page).getByRole('form', { name: 'New journal entry' });
const editor = (page: Page) => journal(page).getByRole('form', { name: 'Edit journal entry' });
const rows = (page: Page) =>
  journal(page).getByRole('list', { name: 'Journal entries' }).locator(':scope > li');
const content = 'What was the idea, and did you follow it?';

async function open(page: Page): Promise<void> {
  await page.goto('/dashboard#journal');
  await page.locator('#journal').scrollIntoViewIfNeeded();
  await expect(form(page)).toBeVisible();
}

test('JRNL-01, JRNL-05, JRNL-06, JRNL-07, JRNL-08, JRNL-09, JRNL-10, A87, A88, A101: an entry is drafted, saved, found, changed and deleted', {
  tag: '@core',
}, async ({ page, context }) => {
  const errors = collectErrors(page);
  const writes: Request[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/journal_entries') && request.method() !== 'GET') writes.push(request);
  });
  await signUp(page, 'diarist');
  await open(page);
  const title = form(page).getByLabel('Title');
  const text = form(page).getByLabel(content);

  await test.step('nothing is saved without a title and a text, and the form shows that', async () => {
    await expect(journal(page).getByText('No entries yet')).toBeVisible();
    await form(page).getByRole('button', { name: 'Save entry' }).click();
    await expect(title).toHaveAccessibleDescription('Give the entry a title.');
    await expect(title).toBeFocused();
    await title.fill('  Long BTC ');
    // There is nothing to preview yet: the next input stays in the editor.
    const preview = form(page).getByRole('button', { name: 'Preview' });
    await preview.press('Enter');
    await text.pressSequentially('An idea');
    await expect(text).toHaveValue('An idea');
    await expect(preview).toHaveAttribute('aria-pressed', 'false');
    await text.fill(' \n ');
    await text.press('Control+Enter');
    await expect(text).toHaveAccessibleDescription('Write something first.');
    expect(writes).toEqual([]);
  });

  await test.step('the draft outlives a reload, and another tab has its own', async () => {
    await text.fill(
      'A **plan**.\n\n<img src=x onerror=alert(1)> [bad](javascript:alert(1)) [good](https://example.test/)',
    );
    await form(page).getByLabel('Tags, separated by commas').fill(' breakout ,, btc, BTC');
    await expect(form(page).getByText('Draft saved')).toBeVisible();
    await page.reload();
    await expect(title).toHaveValue('  Long BTC ');
    const second = await context.newPage();
    await open(second);
    await expect(form(second).getByText(/Unsaved draft: Long BTC/)).toBeVisible();
    await form(second).getByLabel('Title').fill('Something else');
    await expect(form(second).getByText('Draft saved')).toBeVisible();
    await second.close();
    await form(page).getByRole('button', { name: 'Preview' }).click();
    const preview = form(page).getByRole('region', { name: 'Preview' });
    await expect(preview.locator('strong')).toHaveText('plan');
    await expect(preview.locator('img')).toHaveCount(0);
    await expect(text).toBeHidden();
    await form(page).getByRole('button', { name: 'Preview' }).click();
    await expect(text).toHaveValue(/^A \*\*plan/);
    await page.reload();
    await expect(title).toHaveValue('  Long BTC ');
    await form(page).getByRole('button', { name: 'Discard', exact: true }).click();
  });

  await test.step('Ctrl+Enter saves it, once', async () => {
    await title.press('Control+Enter');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(/[A-Z][a-z]{2} \d\d, \d{4} \d\d:\d\d/);
    await expect(rows(page)).toContainText('Long BTC');
    await expect(rows(page)).toContainText('No trade');
    await expect(title).toHaveValue('');
    expect(writes).toHaveLength(1);
    const { id, user_id, created_at, ...sent } = writes[0]?.postDataJSON() ?? {};
    expect([id, user_id, created_at].map((value) => typeof value)).toEqual(['string', 'string', 'string']);
    expect(sent).toMatchObject({ title: 'Long BTC', tags: ['breakout', 'btc'], position_id: null });
  });

  await test.step('Markdown is rendered, and no active content', async () => {
    await rows(page)
      .getByRole('button', { name: /Long BTC/ })
      .click();
    await expect(rows(page).locator('strong')).toHaveText('plan');
    await expect(rows(page).getByText('<img src=x onerror=alert(1)>')).toBeVisible();
    await expect(rows(page).locator('img')).toHaveCount(0);
    await expect(rows(page).getByRole('link')).toHaveText('good');
    await expect(rows(page).getByRole('link')).toHaveAttribute('rel', /noreferrer/);
  });

  await test.step('a change from another tab is reported and not overwritten', async () => {
    await rows(page).getByRole('button', { name: 'Edit Long BTC' }).click();
    await editor(page).getByLabel('Title').fill('Mine');
    await callApi(page, 'journal_entries?title=eq.Long BTC', { title: 'Theirs' }, 'PATCH');
    await editor(page).getByRole('button', { name: 'Save changes' }).click();
    const conflict = editor(page).getByRole('alert');
    await expect(conflict).toContainText('Someone else changed this in the meantime.');
    await expect(conflict).toContainText('Theirs');
    await expect(editor(page).getByLabel('Title')).toHaveValue('Mine');
    await conflict.getByRole('button', { name: 'Save mine as a new entry' }).click();
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).nth(0)).toContainText('Mine');
    await expect(rows(page).nth(1)).toContainText('Theirs');
  });

  await test.step('the whole journal is searched, and narrowed by tag', async () => {
    const old = Array.from({ length: 60 }, (_, day) => ({
      title: `Day ${day}`,
      content: day === 59 ? 'A 100% "needle", (here)' : 'Hay',
      tags: [day % 2 ? 'Odd' : 'even'],
      created_at: new Date(Date.UTC(2026, 0, 1) - day * dayMs).toISOString(),
    }));
    await callApi(page, 'journal_entries', old);
    await page.reload();
    await journal(page).getByRole('button', { name: 'All 62 entries' }).click();
    await expect(rows(page)).toHaveCount(50);
    await journal(page).getByRole('button', { name: 'Load more' }).click();
    await expect(rows(page)).toHaveCount(62);
    // `#journal` in the address does not pull the reader back to the top of the row.
    await rows(page).nth(40).scrollIntoViewIfNeeded();
    await rows(page).nth(40).getByRole('button').first().click();
    await expect(page).toHaveURL(/entry=.*#journal$/);
    await expect(rows(page).nth(40)).toBeInViewport();
    await rows(page).nth(40).getByRole('button').first().click();
    await journal(page).getByRole('searchbox').fill('100% "NEEDLE", (');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('Day 59');
    await expect(page).toHaveURL(/search=.*needle/i);
    await journal(page).getByRole('searchbox').fill('50% off');
    await expect(journal(page).getByText('No entry matches')).toBeVisible();
    await journal(page).getByRole('button', { name: 'Show all' }).click();
    await journal(page).getByRole('button', { name: 'Odd 30' }).click();
    await expect(rows(page)).toHaveCount(30);
    await page.reload();
    await expect(rows(page)).toHaveCount(30);
    await expect(journal(page).getByRole('button', { name: 'Odd 30' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await journal(page).getByRole('button', { name: 'Odd 30' }).click();
  });

  await test.step('a tag that is selected before the debounce ends stays selected', async () => {
    await expect(journal(page).getByRole('button', { name: 'Odd 30' })).toHaveAttribute(
      'aria-pressed',
      'false',
    );
    // In one task: real input is too slow for that on a slow machine.
    await journal(page)
      .getByRole('searchbox')
      .evaluate((field) => {
        const { HTMLInputElement, Event } = field.ownerDocument.defaultView;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Day 1');
        field.dispatchEvent(new Event('input', { bubbles: true }));
        for (const tag of field.ownerDocument.querySelectorAll('#journal fieldset button')) {
          if (tag.textContent.startsWith('Odd')) tag.click();
        }
      });
    await expect(page).toHaveURL(/search=Day/);
    await expect(page).toHaveURL(/tag=Odd/);
    // Day 1, 11, 13, 15, 17 and 19.
    await expect(rows(page)).toHaveCount(6);
  });

  await test.step('all of it goes into a file', async () => {
    for (const [kind, ending] of [
      ['CSV', 'csv'],
      ['Markdown', 'md'],
    ] as const) {
      const saved = page.waitForEvent('download');
      await journal(page).getByRole('button', { name: 'Export the journal' }).click();
      await page.getByRole('menuitem', { name: `Export all as ${kind}` }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toMatch(new RegExp(`^journal_diarist_\\d{8}\\.${ending}$`));
      const written = await readFile(await file.path(), 'utf8');
      expect(written).toContain('Day 59');
      expect(written.match(/Hay/g)).toHaveLength(59);
    }
  });

  await test.step('it is deleted after a question', async () => {
    await page.goto('/dashboard#journal');
    await rows(page).nth(0).getByRole('button', { name: /Mine/ }).click();
    await rows(page).nth(0).getByRole('button', { name: 'Delete Mine' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this journal entry?' });
    await question.getByRole('button', { name: 'Keep it' }).click();
    await expect(rows(page).nth(0)).toContainText('Mine');
    await rows(page).nth(0).getByRole('button', { name: 'Delete Mine' }).click();
    await question.getByRole('button', { name: 'Delete entry' }).click();
    await expect(rows(page).nth(0)).toContainText('Theirs');
    await expect(journal(page).getByRole('button', { name: 'All 61 entries' })).toBeVisible();
    await expect(page.locator('body')).not.toBeFocused();
  });
  expect(errors, 'errors of the page').toEqual([]);
});

test('A88: an entry about a trade follows it from open to closed, and keeps a save without an answer', async ({
  page,
}) => {
  await signUp(page, 'reviewer', { at: '/trading?symbol=ETHUSDT' });
  await openMarket(page, { side: 'Sell/Short', amount: '0.5', leverage: 10 });
  await positionRow(page, 'ETHUSDT').getByRole('link', { name: 'Write about it, ETHUSDT short' }).click();
  await expect(page).toHaveURL(/\/dashboard#journal$/);
  await expect(form(page).getByLabel('Title')).toBeFocused();
  await expect(form(page).getByRole('button', { name: /ETHUSDT Short 10×/ })).toBeVisible();

  // The server takes it, the answer is lost, the same press again is the same entry.
  let lost = 0;
  await page.route(/\/rest\/v1\/journal_entries\?on_conflict/, async (route) => {
    if (lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await form(page).getByLabel('Title').fill('Short after the spike');
  await form(page).getByLabel(content).fill('As planned.');
  await form(page).getByRole('button', { name: 'Save entry' }).click();
  await expect(form(page).getByRole('alert')).toContainText('Failed to save the journal entry');
  await form(page).getByLabel(content).fill('As planned, mostly.');
  await form(page).getByRole('button', { name: 'Save entry' }).click();
  await expect(form(page).getByLabel('Title')).toHaveValue('');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('As planned, mostly.');
  await expect(rows(page)).toContainText('open');

  await rows(page)
    .getByRole('button', { name: /Short after the spike/ })
    .click();
  const trade = rows(page).getByRole('region', { name: 'Trade: ETHUSDT short' });
  await expect(
    trade.getByRole('img', { name: /^Short trade\. ETHUSDT 1m candles\. Entry at .*, still open/ }),
  ).toBeVisible();
  const [held] = await callApi<{ id: string }[]>(page, 'positions?select=id&status=eq.open');
  await callApi(page, 'rpc/close_position', { p_position_id: held?.id, p_client_id: crypto.randomUUID() });
  await expect(trade).toContainText('Closed by hand');
  await expect(trade.getByRole('img', { name: /exit at / })).toBeVisible();
  const [closed] = await callApi<{ realized_pnl: number; fees: number }[]>(
    page,
    'positions?select=realized_pnl,fees',
  );
  const shown = await figureOf(trade.getByRole('definition').nth(3));
  expect(shown).toBeCloseTo(closed?.realized_pnl ?? Number.NaN, 1);
  const net = await figureOf(trade.getByRole('definition').nth(5));
  expect(net).toBeCloseTo((closed?.realized_pnl ?? Number.NaN) - (closed?.fees ?? Number.NaN), 1);

  await form(page).getByRole('button', { name: 'Link a position' }).click();
  await page.getByRole('combobox', { name: 'Search positions' }).fill('eth closed');
  await page.keyboard.press('Enter');
  await expect(form(page).getByRole('button', { name: /ETHUSDT Short 10×/ })).toBeVisible();

  // A draft about one trade stays with it while another one is written.
  await form(page).getByLabel('Title').fill('Half a thought');
  await expect(form(page).getByText('Draft saved')).toBeVisible();
  await page.goto('/trading?symbol=BTCUSDT');
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await positionRow(page, 'BTCUSDT').getByRole('link', { name: 'Write about it, BTCUSDT long' }).click();
  await expect(form(page).getByRole('button', { name: /BTCUSDT Long 10×/ })).toBeVisible();
  await expect(form(page).getByLabel('Title')).toHaveValue('');
  await expect(form(page).getByText('Unsaved draft: Half a thought')).toBeVisible();
  await form(page).getByRole('button', { name: 'Continue' }).click();
  await expect(form(page).getByLabel('Title')).toHaveValue('Half a thought');
  await expect(form(page).getByRole('button', { name: /ETHUSDT Short 10×/ })).toBeVisible();
});

test('A88: a draft that another tab continues overwrites nothing, in the form or in the journal', async ({
  page,
  context,
}) => {
  await signUp(page, 'twohanded');
  await open(page);
  const typed = async (where: Page, title: string, text: string) => {
    await form(where).getByLabel('Title').fill(title);
    await form(where).getByLabel(content).fill(text);
    await expect(form(where).getByText('Draft saved')).toBeVisible();
  };
  await typed(page, 'First', 'As it was begun.');
  const second = await context.newPage();
  await open(second);
  await typed(second, 'Second', 'Of its own.');
  await form(second).getByRole('button', { name: 'Continue' }).click();
  await expect(form(second).getByLabel('Title')).toHaveValue('First');
  // The stored text is offered in its place.
  await expect(form(second).getByText(/Unsaved draft: Second/)).toBeVisible();
  await form(second).getByLabel(content).fill('As the second tab ended it.');
  await form(second).getByRole('button', { name: 'Save entry' }).click();
  await expect(rows(second)).toHaveCount(1);

  await form(page).getByLabel(content).fill('As the first tab ended it.');
  await form(page).getByRole('button', { name: 'Save entry' }).click();
  await expect(form(page).getByLabel(content)).toHaveValue('');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(0)).toContainText('As the first tab ended it.');
  await expect(rows(page).nth(1)).toContainText('As the second tab ended it.');
});
