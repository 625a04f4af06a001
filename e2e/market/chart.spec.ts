/** The chart as a tool: drawings and settings stay with their pair, and the third-party chart can be switched on and off. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { noApp, signUp } from '../harness/session.ts';
import { collectErrors, savePicture } from '../harness/steps.ts';

const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart' });
const toolsOf = (page: Page): Locator => page.getByRole('toolbar', { name: 'Drawing tools' });

/** A fresh page on a busy machine. */
const loadsWithinMs = 30_000;
test.beforeEach(() => test.slow());

interface StoredDrawing {
  readonly tool: string;
  readonly anchors: readonly { readonly at: number; readonly price: number }[];
  readonly text?: string;
  readonly ink?: string;
}

/** The browser's stored settings of the pair. */
const drawingsOf = (page: Page, symbol: string): Promise<readonly StoredDrawing[]> =>
  page.evaluate((expected) => {
    const stored = localStorage.getItem('fulcrum-chart');
    const pairs: [string, { drawings: StoredDrawing[] }][] = stored === null ? [] : JSON.parse(stored).pairs;
    return pairs.find(([name]) => name === expected)?.[1].drawings ?? [];
  }, symbol);

/** Ink of the legends alone is below it; a horizontal line across the plot lifts it above. */
const inkOfLine = 3_500;

/** What of a canvas is read in the page. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly getContext: (kind: '2d') => {
    readonly getImageData: (...box: readonly [number, number, number, number]) => {
      readonly data: ArrayLike<number>;
    };
  } | null;
}

/** How much is drawn over the candles: opaque pixels of the overlay's canvas. */
const inkOver = (chart: Locator): Promise<number> =>
  chart
    .getByRole('img')
    .locator('canvas')
    .nth(1)
    .evaluate((canvas: Canvas) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      };
      let opaque = 0;
      for (let index = 3; index < data.length; index += 4) if ((data[index] ?? 0) > 0) opaque += 1;
      return opaque;
    });

/**
 * The share of the price pane's height that the candles take, by the rows that hold ink of their two colours. A volume
 * bar is drawn with a fifth of that ink, and a moving average in other colours.
 */
const spreadOfCandles = (chart: Locator): Promise<number> =>
  chart
    .getByRole('img')
    .locator('canvas')
    .first()
    .evaluate((canvas) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      };
      const page = canvas.ownerDocument;
      const style = page.defaultView.getComputedStyle(page.documentElement);
      const expected = ['--up', '--down'].map((token) => {
        const hex = style.getPropertyValue(token).trim().replace('#', '');
        return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      });
      const isCandle = (at: number) =>
        data[at + 3] === 255 &&
        expected.some((ink) => ink.every((part, band) => Math.abs((data[at + band] ?? 0) - part) <= 2));
      const rows: number[] = [];
      for (let y = 0; y < canvas.height; y += 1) {
        for (let x = 0; x < canvas.width; x += 1) {
          if (!isCandle((y * canvas.width + x) * 4)) continue;
          rows.push(y);
          break;
        }
      }
      return rows.length === 0 ? 0 : ((rows.at(-1) ?? 0) - (rows[0] ?? 0)) / canvas.height;
    });

/** Shows a pair and waits for its candles. */
async function open(page: Page, symbol: string): Promise<Locator> {
  await page.goto(`/trading?symbol=${encodeURIComponent(symbol)}`);
  return shown(page, symbol);
}
async function shown(page: Page, symbol: string): Promise<Locator> {
  const chart = chartOf(page);
  await expect(
    chart.getByRole('img', { name: new RegExp(`^${symbol.replace('/', '.')} candles`) }),
  ).toBeVisible({ timeout: loadsWithinMs });
  await expect(chart.getByText('Loading the chart')).toBeHidden({ timeout: loadsWithinMs });
  return chart;
}

/** Places on the plot, as shares of its size. */
async function pointsOn(chart: Locator, ...shares: readonly (readonly [number, number])[]) {
  const box = await chart.getByRole('img').boundingBox();
  if (!box) throw new Error('the chart is not laid out');
  return shares.map(([across, down]) => [box.x + across * box.width, box.y + down * box.height] as const);
}

test('A35, X-12: drawings stay with their pair through timeframe, theme, pair and reload, to the digit', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'draughtsman', { at: noApp });
  let chart = await open(page, 'BTCUSDT');
  // the first visit, before anything was chosen.
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(async () => (await chart.boundingBox())?.height).toBe(600);

  // By two clicks, however quick, and by dragging.
  await toolsOf(page).getByRole('button', { name: 'Trend line' }).click();
  const [from, to, corner, opposite] = await pointsOn(
    chart,
    [0.2, 0.5],
    [0.4, 0.3],
    [0.5, 0.2],
    [0.65, 0.35],
  );
  if (!from || !to || !corner || !opposite) throw new Error('no places');
  await page.mouse.click(...from);
  await page.mouse.click(...to);
  await expect(page.getByRole('group', { name: 'Trend line, selected' })).toBeVisible();
  await toolsOf(page).getByRole('button', { name: 'Rectangle' }).click();
  await page.mouse.move(...corner);
  await page.mouse.down();
  await page.mouse.move(...opposite, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByRole('group', { name: 'Rectangle, selected' })).toBeVisible();
  await toolsOf(page).getByRole('button', { name: 'Horizontal line' }).click();
  await page.mouse.click(...to);
  await expect(page.getByRole('group', { name: 'Horizontal line, selected' })).toBeVisible();
  await page.mouse.move(5, 5);
  const drawn = await drawingsOf(page, 'BTCUSDT');
  expect(drawn.map(({ tool }) => tool)).toEqual(['trend', 'rectangle', 'horizontal']);
  const [trend] = drawn;
  expect(trend?.anchors[1]?.at).toBeGreaterThan(trend?.anchors[0]?.at ?? Number.POSITIVE_INFINITY);
  expect(trend?.anchors[1]?.price).toBeGreaterThan(trend?.anchors[0]?.price ?? Number.POSITIVE_INFINITY);

  const survives = async () => {
    await expect.poll(() => inkOver(chart), { timeout: loadsWithinMs }).toBeGreaterThan(inkOfLine);
    expect(await drawingsOf(page, 'BTCUSDT')).toEqual(drawn);
  };
  await survives();
  await chart.getByRole('button', { name: '4h', exact: true }).click();
  await expect(chart.getByRole('img', { name: /4 hours/ })).toBeVisible();
  await survives();
  await page.locator('html').evaluate((html) => html.setAttribute('data-theme', 'light'));
  await survives();
  await page.reload();
  chart = await shown(page, 'BTCUSDT');
  await expect(chart.getByRole('img', { name: /4 hours/ })).toBeVisible();
  await survives();

  // Another pair has a clean chart with settings of its own.
  chart = await open(page, 'EUR/USD');
  await expect(chart.getByRole('img', { name: /15 minutes/ })).toBeVisible();
  await expect.poll(() => inkOver(chart)).toBeLessThan(inkOfLine);
  chart = await open(page, 'BTCUSDT');
  await survives();

  // Hidden and shown again; the trash asks for confirmation, and undo restores everything.
  await toolsOf(page).getByRole('button', { name: 'Hide drawings' }).click();
  await expect.poll(() => inkOver(chart)).toBeLessThan(inkOfLine);
  await toolsOf(page).getByRole('button', { name: 'Hide drawings' }).click();
  await survives();
  await toolsOf(page).getByRole('button', { name: 'Delete all drawings' }).click();
  const question = page.getByRole('dialog', { name: 'Delete 3 drawings?' });
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => inkOver(chart)).toBeLessThan(inkOfLine);
  await chart.getByRole('button', { name: 'Undo drawing' }).click();
  await survives();
  expect(errors).toEqual([]);
});

test('a drawing is created, found, moved and deleted by keyboard alone, and Escape deselects a tool', async ({
  page,
}) => {
  await signUp(page, 'keyboardist', { at: noApp });
  const chart = await open(page, 'ETHUSDT');
  const crosshair = toolsOf(page).getByRole('button', { name: 'Crosshair' });
  await crosshair.focus();
  await page.keyboard.press('ArrowDown');
  await expect(toolsOf(page).getByRole('button', { name: 'Trend line' })).toBeFocused();
  await page.keyboard.press('Enter');
  const selection = page.getByRole('group', { name: 'Trend line, selected' });
  await expect(selection).toBeFocused();
  const [placed] = await drawingsOf(page, 'ETHUSDT');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(async () => (await drawingsOf(page, 'ETHUSDT'))[0]?.anchors[0]?.at)
    .toBeGreaterThan(placed?.anchors[0]?.at ?? Number.POSITIVE_INFINITY);
  const [moved] = await drawingsOf(page, 'ETHUSDT');
  expect(moved?.anchors[0]?.price).toBeGreaterThan(placed?.anchors[0]?.price ?? Number.POSITIVE_INFINITY);
  await page.keyboard.press('Escape');
  await expect(selection).toBeHidden();

  await toolsOf(page).getByRole('button', { name: 'Select next drawing' }).focus();
  await page.keyboard.press('Enter');
  await expect(selection).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(selection).toBeHidden();
  expect(await drawingsOf(page, 'ETHUSDT')).toEqual([]);

  const brush = toolsOf(page).getByRole('button', { name: 'Brush' });
  await brush.click();
  await expect(brush).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Escape');
  await expect(crosshair).toHaveAttribute('aria-pressed', 'true');
  await expect(chart.getByRole('img')).toBeVisible();

  await test.step('charts: a text is typed at once, and has a colour of its own', async () => {
    await toolsOf(page).getByRole('button', { name: 'Text', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Text of the drawing')).toBeFocused();
    await page.keyboard.type('Breakout? wait for the retest');
    await page.getByRole('button', { name: 'Colour 4 of 5' }).click();
    await savePicture(page, 'chart-text');
    await expect
      .poll(() => drawingsOf(page, 'ETHUSDT'))
      .toMatchObject([{ tool: 'text', text: 'Breakout? wait for the retest', ink: 'warn' }]);
  });
});

test('TRADE-19: RSI, the averages and MACD are offered, can be removed and given other periods, and stay so', async ({
  page,
}) => {
  await signUp(page, 'chartist', { at: noApp });
  let chart = await open(page, 'BTCUSDT');
  await chart.getByRole('button', { name: 'Indicators 2 shown' }).click();
  const panel = page.getByRole('dialog', { name: 'Indicators' });
  await expect(panel.getByRole('switch', { name: 'Simple moving average' })).toBeChecked();
  for (const name of ['RSI', 'MACD']) await panel.getByRole('switch', { name, exact: true }).click();
  // Further studies are found by a word, and have their own settings.
  await panel.getByLabel('Search indicators').fill('bollinger');
  await expect(panel.getByRole('switch')).toHaveCount(1);
  await panel.getByRole('switch', { name: 'Bollinger bands' }).click();
  await panel.getByRole('button', { name: 'Settings of Bollinger bands' }).click();
  await panel.getByLabel('Deviations').fill('0');
  await expect(panel.getByText('A whole number from 1 to 500')).toBeVisible();
  await panel.getByLabel('Deviations').fill('3');
  await panel.getByRole('button', { name: 'Colour 4 of 5' }).click();
  await panel.getByRole('button', { name: 'Hide Bollinger bands' }).click();
  await expect(panel.getByRole('button', { name: 'Show Bollinger bands' })).toBeVisible();
  await panel.getByLabel('Search indicators').fill('');
  await expect(panel.getByLabel('SMA Short')).toHaveValue('20');
  await expect(panel.getByLabel('SMA Long')).toHaveValue('50');
  await expect(panel.getByLabel('RSI Period')).toHaveValue('14');
  await panel.getByRole('switch', { name: 'MACD' }).click();
  await panel.getByLabel('RSI Period').fill('0');
  await panel.getByLabel('RSI Period').press('Enter');
  await expect(panel.getByText('A whole number from 2 to 500')).toBeVisible();
  await panel.getByLabel('RSI Period').fill('21');
  await panel.getByLabel('RSI Period').press('Enter');
  await expect(panel).toBeHidden();
  await chart.getByRole('button', { name: 'Bar style: Candles' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Bars (OHLC)' }).click();
  await page.keyboard.press('Escape');

  await page.reload();
  chart = await shown(page, 'BTCUSDT');
  await expect(chart.getByRole('button', { name: 'Bar style: Bars (OHLC)' })).toBeVisible();
  await chart.getByRole('button', { name: 'Indicators 4 shown' }).click();
  await expect(panel.getByRole('switch', { name: 'MACD' })).not.toBeChecked();
  await expect(panel.getByText('20, 3', { exact: true })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Show Bollinger bands' })).toBeVisible();
  await expect(panel.getByLabel('RSI Period')).toHaveValue('21');
  await page.keyboard.press('Escape');

  // A picture of it is a file, named for what it shows.
  const download = page.waitForEvent('download');
  await chart.getByRole('button', { name: 'Save picture' }).click();
  expect((await download).suggestedFilename()).toBe('BTCUSDT-15m.png');

  await chart.getByRole('button', { name: 'Chart settings' }).click();
  await page.getByRole('menuitem', { name: 'Reset to default' }).click();
  await expect(chart.getByRole('button', { name: 'Indicators 2 shown' })).toBeVisible();
  await expect(chart.getByRole('button', { name: 'Bar style: Candles' })).toBeVisible();
});

test('charts: an order starts at a price of the chart by pointer and by key, and digits choose a timeframe', async ({
  page,
}) => {
  await signUp(page, 'pointer', { at: noApp });
  const chart = await open(page, 'BTCUSDT');
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
  const [low] = await pointsOn(chart, [0.4, 0.7]);
  if (!low) throw new Error('no place');
  const menu = page.getByRole('dialog', { name: 'BTCUSDT at a price' });
  // The button beside the axis follows the pointer.
  await page.mouse.move(...low);
  await page.getByRole('button', { name: 'Trade at or copy this price' }).click();
  await expect(menu.getByLabel('Price')).toHaveValue(/^\d+\.\d\d$/);
  await savePicture(page, 'chart-price-button');
  await page.keyboard.press('Escape');
  await page.mouse.click(...low, { button: 'right' });
  // The price of a pixel, on the pair's grid; another one can be typed.
  await expect(menu.getByLabel('Price')).toHaveValue(/^\d+\.\d\d$/);
  await menu.getByLabel('Price').fill('20000');
  await expect(menu.getByRole('button', { name: 'Sell stop 0.01 @ 20,000.00' })).toBeVisible();
  await menu.getByRole('button', { name: 'Buy limit 0.01 @ 20,000.00' }).click();
  // The order form's own confirmation states the order.
  const confirmation = page.getByRole('dialog').filter({ hasText: '20,000.00' });
  await expect(confirmation).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(confirmation).toBeHidden();

  // By key: the price is typed, and one above the market offers the other two orders.
  await page.locator('body').press('p');
  await menu.getByLabel('Price').fill('900000');
  await expect(menu.getByRole('button', { name: 'Sell limit 0.01 @ 900,000.00' })).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Buy stop 0.01 @ 900,000.00' })).toBeVisible();
  await menu.getByLabel('Price').fill('much');
  await expect(menu.getByText('Type a price, such as 95600.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();

  await page.locator('body').press('7');
  const box = page.getByRole('dialog', { name: 'Timeframe' });
  await expect(box.getByText(/^The chart has no such timeframe/)).toBeVisible();
  await box.getByLabel('Timeframe').fill('4h');
  await page.keyboard.press('Enter');
  await expect(box).toBeHidden();
  await expect(chart.getByRole('img', { name: /4 hours/ })).toBeVisible();
});

for (const symbol of ['PEPEUSDT', 'SHIBUSDT']) {
  test(`UX-1: the candles of ${symbol}, far below 0.0001, fill the chart`, async ({ page }) => {
    await signUp(page, `tiny.${symbol.slice(0, 4).toLowerCase()}`, { at: noApp });
    const chart = await open(page, symbol);
    // A flat line is a hundredth of the pane.
    await expect.poll(() => spreadOfCandles(chart), { timeout: loadsWithinMs }).toBeGreaterThan(0.3);
    await chart.getByRole('button', { name: /^Indicators/ }).click();
    await page.getByRole('switch', { name: 'Simple moving average' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => spreadOfCandles(chart)).toBeGreaterThan(0.3);
  });
}

/** Replaces the provider's script: it reports its symbol, and whether it could read this origin. */
const widgetScript = `
  globalThis.TradingView = { widget: function (options) {
    const frame = document.createElement('iframe');
    const storage = (() => { try { return String(localStorage.length); } catch { return 'no storage'; } })();
    frame.srcdoc = '<p>' + [options.symbol, options.interval, options.theme, storage, origin].join(' ') + '</p>';
    document.getElementById(options.container_id).append(frame);
  } };`;

test('A35, TRADE-16, TRADE-20, FEED-63, ERR-39, ERR-40, ERR-41, TRADE-21: the third-party chart comes from its CDN into a frame without an origin, and a failure leads back', async ({
  page,
}) => {
  const reported: string[] = [];
  page.on('pageerror', (error) => reported.push(error.message));
  let answer: 'widget' | 'empty' | 'none' = 'widget';
  let requested = '';
  await page.route('https://s3.tradingview.com/**', (route) => {
    requested = route.request().url();
    if (answer === 'none') return route.abort();
    return route.fulfill({ contentType: 'text/javascript', body: answer === 'widget' ? widgetScript : '' });
  });
  await signUp(page, 'switcher', { at: noApp });
  let chart = await open(page, 'EUR/USD');
  const toOther = chart.getByRole('radio', { name: 'TradingView' });
  const toOwn = chart.getByRole('radio', { name: 'Built-in' });
  await toOther.click();
  await expect(page.getByTitle('TradingView chart of EUR/USD, 15 minutes')).toBeVisible();
  const widget = page.frameLocator('iframe[title^="TradingView chart"]').frameLocator('iframe');
  await expect(widget.getByText('FX:EURUSD 15 dark no storage null')).toBeVisible();
  expect(requested).toBe('https://s3.tradingview.com/tv.js');
  await expect(chart.getByText('Loading TradingView')).toBeHidden();
  await chart.getByRole('button', { name: '1h', exact: true }).click();
  await expect(widget.getByText('FX:EURUSD 60 dark')).toBeVisible();
  await toOwn.click();
  await shown(page, 'EUR/USD');

  // Loaded, but without content.
  answer = 'empty';
  await toOther.click();
  const notice = chart.getByRole('alert').getByText('Chart temporarily unavailable');
  await expect(notice).toBeVisible();
  expect(reported.at(-1)).toBe('TradingView not available');
  await expect(toOther).toBeChecked();

  // Not available at all; a retry fails again.
  answer = 'none';
  await chart.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => reported.at(-1)).toBe('Failed to load TradingView widget');
  await expect(notice).toBeVisible();
  await chart.getByRole('button', { name: 'Back to the built-in chart' }).click();
  await shown(page, 'EUR/USD');
  await expect(toOwn).toBeChecked();

  // The choice is this browser's, until another is made.
  answer = 'widget';
  await toOther.click();
  await expect(widget.getByText('FX:EURUSD')).toBeVisible();
  await page.reload();
  await expect(widget.getByText('FX:EURUSD')).toBeVisible({ timeout: loadsWithinMs });
  await toOwn.click();
  chart = await shown(page, 'EUR/USD');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('TRADE-24, TRADE-25: the overlay has timeframes, studies and tools, and a finger draws', async ({
    page,
  }) => {
    await signUp(page, 'finger', { at: '/trading?symbol=SOLUSDT' });
    await page.getByRole('button', { name: /^Chart/ }).click();
    const overlay = page.getByRole('dialog', { name: 'SOLUSDT Chart' });
    const plot = overlay.getByRole('img', { name: /^SOLUSDT candles/ });
    await expect(plot).toBeVisible({ timeout: loadsWithinMs });
    await expect(overlay.getByText('Loading the chart')).toBeHidden();
    await expect(overlay.getByRole('button', { name: /^Indicators/ })).toBeVisible();
    await overlay.getByRole('button', { name: 'Drawing tools' }).tap();
    await toolsOf(page).getByRole('button', { name: 'Trend line' }).tap();
    await expect(toolsOf(page)).toBeHidden();
    const [from, to] = await pointsOn(overlay, [0.2, 0.3], [0.6, 0.2]);
    if (!from || !to) throw new Error('no places');
    await page.touchscreen.tap(...from);
    await page.touchscreen.tap(...to);
    await expect(page.getByRole('group', { name: 'Trend line, selected' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete drawing' }).tap();
    expect(await drawingsOf(page, 'SOLUSDT')).toEqual([]);
    await overlay.getByRole('button', { name: 'Close' }).tap();
    await expect(overlay).toBeHidden();
  });
});
