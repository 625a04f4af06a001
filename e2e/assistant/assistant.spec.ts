/** The assistant (A115): facts of the own account, help, an order for the form, and the sentences of a language model that pass. */
import type { Page } from '@playwright/test';
import { type ModelServer, startModelServer, text } from '../../apps/server/test/assistant/model-server.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, impersonate, noApp, signIn, signUp } from '../harness/session.ts';
import { collectErrors, savePicture, savePictures } from '../harness/steps.ts';

const panel = (page: Page) => page.getByRole('dialog', { name: 'Assistant' });
const open = (page: Page) => page.getByRole('button', { name: 'Assistant' }).click();

async function ask(page: Page, question: string): Promise<void> {
  await panel(page).getByRole('textbox', { name: 'Question' }).fill(question);
  await panel(page).getByRole('button', { name: 'Ask', exact: true }).click();
}

test('A115: the assistant answers from facts and help, fills the order form, and trades nothing', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'inquirer', { at: '/dashboard' });
  for (let n = 0; n < 3; n += 1) {
    const { id } = await callApi<{ id: string }>(page, 'rpc/open_position', {
      ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 },
    });
    if (n > 0) await callApi(page, 'rpc/close_position', { p_position_id: id });
  }

  await test.step('by its key, with examples', async () => {
    await expect(page.getByRole('button', { name: 'Assistant' })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect(panel(page).getByRole('list', { name: 'Examples' })).toContainText('What is my balance?');
    await savePictures(page, 'assistant-empty');
    await panel(page).getByRole('button', { name: 'What is my balance?' }).click();
    const account = panel(page).getByRole('region', { name: 'Account, now' });
    await expect(account).toContainText(/Open positions\s*1/);
    await expect(account).toContainText(/Balance\s*\d+\.\d\d USDT/);
  });

  await test.step('facts lead to their page and their trades', async () => {
    await ask(page, 'Show my positions');
    await expect(panel(page).getByRole('region', { name: 'BTCUSDT long' })).toContainText('10x');
    await savePictures(page, 'assistant-facts');
    await ask(page, 'And ETH?');
    await expect(panel(page)).toContainText('From your account, as in the answer before:');
    await expect(panel(page)).toContainText('No position of ETHUSDT is open.');
    await panel(page).getByRole('link', { name: 'Account, now: open the page' }).first().click();
    await expect(page).toHaveURL(/\/wallet$/);
    await expect(panel(page)).toBeHidden();
  });

  await test.step('help, and what is not understood', async () => {
    await open(page);
    // The conversation is still there.
    await expect(panel(page).getByRole('region', { name: 'Account, now' })).toBeVisible();
    await ask(page, 'How does funding work?');
    await expect(panel(page).getByRole('region', { name: 'How funding works' })).toContainText(
      'every 8 hours',
    );
    await ask(page, 'Who wins the world cup?');
    await expect(panel(page)).toContainText('This question was not understood.');
    await savePictures(page, 'assistant-help');
  });

  await test.step('an order fills the form', async () => {
    await ask(page, 'buy 0.1 BTC at 10x');
    await expect(panel(page)).toContainText('The assistant cannot trade.');
    await savePictures(page, 'assistant-order');
    await panel(page).getByRole('button', { name: 'Fill the order form' }).click();
    await expect(page).toHaveURL(/\/trading\?symbol=BTCUSDT/);
    await expect(page.getByRole('spinbutton', { name: 'Amount' })).toHaveValue('0.1');
  });

  await test.step('and the form that is on screen, again', async () => {
    await open(page);
    await ask(page, 'sell 0.2 BTC at 5x');
    await panel(page).getByRole('button', { name: 'Fill the order form' }).nth(1).click();
    await expect(page.getByRole('spinbutton', { name: 'Amount' })).toHaveValue('0.2');
    const orders = await callApi<unknown[]>(page, 'rpc/list_accounts', {});
    expect(orders).toMatchObject([{ open_positions: 1, waiting_orders: 0 }]);
  });
  expect(errors).toEqual([]);
});

test('A115: staff who impersonate a trader have no assistant', async ({ page }) => {
  await signUp(page, 'not_asking', { at: '/wallet' });
  await signIn(page, 'admin@fulcrum.local');
  await impersonate(page, 'not_asking', { at: '/wallet' });
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Assistant' })).toBeHidden();
});

test('A115: the support chat suggests an answer until an agent writes', async ({
  page,
  browser,
  fulcrum,
}) => {
  await signUp(page, 'suggested', { at: '/chat' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello, why was my position liquidated?');
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: 'Suggested answer' });
  await expect(card).toContainText('From the help, not from support.');
  await expect(card).toContainText('Why was my position liquidated?');
  await savePictures(page, 'assistant-support');
  const { id } = await callApi<{ id: string }>(page, 'rpc/open_chat_session', {});
  const staff = await browser.newPage({ baseURL: fulcrum.url });
  await signIn(staff, 'support@fulcrum.local', { at: noApp });
  await callApi(staff, 'chat_messages', { session_id: id, content: 'I am here.' });
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('I am here.');
  await expect(card).toBeHidden();
});

test.describe('with a language model', () => {
  let model: ModelServer;
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    serverEnv: async ({}, use) => {
      model = await startModelServer();
      await use({ AI_URL: model.url, AI_MODEL: 'llama3.2:3b' });
      await model.close();
    },
  });

  test('A115: sentences that the facts bear out are shown, others are left out, and what was sent is shown', async ({
    page,
  }) => {
    const errors = collectErrors(page);
    await signUp(page, 'with_model', { at: '/dashboard' });
    await open(page);
    await expect(panel(page)).toContainText('llama3.2:3b at 127.0.0.1');
    model.answers(text('You have 0 open positions. You could earn 500 USDT a day. Nothing is at risk.'));
    await ask(page, 'What is my balance?');
    const written = panel(page).getByRole('region', { name: 'Text of the model' });
    await expect(written).toHaveText('You have 0 open positions. [left out] Nothing is at risk.');
    await panel(page).getByText('Sent to llama3.2:3b at').click();
    await expect(panel(page)).toContainText('Question: What is my balance?');
    await savePictures(page, 'assistant-model');
    model.answers((reply) => void reply.writeHead(500).end());
    await ask(page, 'What is my equity?');
    await expect(panel(page)).toContainText('The model did not finish. The facts are below.');
    expect(errors).toEqual([]);
  });
});

test('A115: on a phone the assistant opens from every page of a trader, and the pair stays readable', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 700 });
  await signUp(page, 'phone_inquirer', { at: '/trading?symbol=DOGEUSDT' });
  for (const path of ['/trading?symbol=DOGEUSDT', '/chat', '/wallet']) {
    await page.goto(path);
    await open(page);
    await expect(panel(page).getByRole('list', { name: 'Examples' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel(page)).toBeHidden();
    const widthOf = () => page.locator('html').evaluate(({ scrollWidth }) => scrollWidth);
    await expect.poll(widthOf, path).toBe(360);
  }
  await page.goto('/trading?symbol=DOGEUSDT');
  const name = page
    .getByRole('button', { name: /choose another pair/ })
    .getByText('DOGEUSDT', { exact: true });
  for (const width of [320, 360, 390, 412]) {
    await page.setViewportSize({ width, height: 700 });
    const cut = () => name.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth);
    await expect.poll(cut, `${width}`).toBe(0);
    if (process.env.SCREENS) await savePicture(page, `assistant-entry-${width}`);
  }
});
