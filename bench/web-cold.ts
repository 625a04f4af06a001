/**
 * A cold `/trading` for `npm run bench -- web --page cold`: a signed-in trader opens the screen with an empty cache while nothing
 * ticks; orders are sent while every pair ticks. Counted: requests, the time until the order form takes an amount, the time until
 * candles are on the canvas, and the time from a click on Buy/Long to the position's row. A time is read in the page, from the
 * start of its navigation. Limit: the page is asked once a frame, so that a time may be one frame too long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { reportLimit } from './web-limits.ts';

const coldLimits = { requests: 45, ticketMs: 1500, chartMs: 2000, clickToRowMs: 150 } as const;
const visits = 5;
const orders = 20;
const attempts = 3 * orders;
/** Long enough for the code of the other pages to be prefetched. */
const settleMs = 6000;
const viewport = { width: 1440, height: 900 } as const;

/** In the page: this program has no DOM types. Writes `window.cold` once both moments have come. */
const observer = `
  window.cold = {};
  const hasCandles = (canvas) => {
    const { width, height } = canvas;
    if (width < 400 || height < 200) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    let coloured = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && Math.abs(data[i] - data[i + 1]) > 60) coloured += 1;
    return coloured > 500;
  };
  const look = () => {
    const now = performance.now();
    const amount = document.querySelector('[role=spinbutton][aria-label=Amount], input[role=spinbutton]');
    const buttons = [...document.querySelectorAll('button')].filter((button) => button.textContent.startsWith('Buy/Long'));
    if (!window.cold.ticket && amount && !amount.disabled && buttons.length > 0) window.cold.ticket = now;
    if (!window.cold.chart && [...document.querySelectorAll('canvas')].some(hasCandles)) window.cold.chart = now;
    if (!window.cold.ticket || !window.cold.chart) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

interface Visit {
  readonly requests: number;
  readonly ticketMs: number;
  readonly chartMs: number;
}

async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  await page.addInitScript(observer);
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await page.goto(`${url}/trading?symbol=BTCUSDT`);
  await sleep(settleMs);
  const { ticket, chart } = await page.evaluate<{ ticket?: number; chart?: number }>('window.cold');
  await page.close();
  if (!ticket || !chart) throw new Error(`the screen was not there after ${settleMs / 1000} s`);
  return { requests, ticketMs: ticket, chartMs: chart };
}

/** From the click to the row, ms. Confirmations are off. Null when the price had moved too far: this feed jumps. */
async function clickToRow(page: Page): Promise<number | null> {
  return page.evaluate<number | null>(`new Promise((resolve, reject) => {
    const rows = () => document.querySelectorAll('[role=tabpanel] tbody tr').length;
    const before = rows();
    const button = [...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Buy/Long'));
    const from = performance.now();
    const look = () => {
      if (rows() > before) return resolve(performance.now() - from);
      if (document.body.textContent.includes('Price moved')) return resolve(null);
      if (performance.now() - from > 10000) return reject(new Error('no row came'));
      requestAnimationFrame(look);
    };
    button.click();
    requestAnimationFrame(look);
  })`);
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

/** Whether all limits are met. `resumeTicks` starts the paused feed. */
export async function measureCold(
  browser: Browser,
  url: string,
  logIn: (page: Page) => Promise<void>,
  resumeTicks: () => void,
): Promise<boolean> {
  const signedIn = await browser.newContext({ viewport });
  await logIn(await signedIn.newPage());
  const storageState = await signedIn.storageState();
  await signedIn.close();

  const cold: Visit[] = [];
  for (let i = 0; i < visits; i += 1) {
    const context = await browser.newContext({ viewport, storageState });
    cold.push(await visit(context, url));
    await context.close();
  }

  // Without ticks the price is stale, and orders are refused.
  resumeTicks();
  const context = await browser.newContext({ viewport, storageState });
  const page = await context.newPage();
  await page.addInitScript(
    `localStorage.setItem('fulcrum-preferences', JSON.stringify({ confirmsOrders: false }))`,
  );
  await page.goto(`${url}/trading?symbol=BTCUSDT`);
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.001');
  await sleep(settleMs);
  const clicks: number[] = [];
  for (let i = 0; i < attempts && clicks.length < orders; i += 1) {
    const took = await clickToRow(page);
    if (took !== null) clicks.push(took);
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.001');
    await sleep(settleMs / 10);
  }
  await context.close();

  const p95 =
    clicks.toSorted((a, b) => a - b)[Math.ceil(0.95 * clicks.length) - 1] ?? Number.POSITIVE_INFINITY;
  console.log(`${visits} cold visits, ${clicks.length} orders; medians of visits\n`);
  const { requests, ticketMs, chartMs, clickToRowMs } = coldLimits;
  const counted = Math.max(...cold.map((one) => one.requests));
  const ticket = median(cold.map((one) => one.ticketMs));
  const chart = median(cold.map((one) => one.chartMs));
  return [
    reportLimit('requests, prefetches included', String(counted), `≤ ${requests}`, counted <= requests),
    reportLimit('order form usable', `${ticket.toFixed(0)} ms`, `≤ ${ticketMs} ms`, ticket <= ticketMs),
    reportLimit('chart drawn', `${chart.toFixed(0)} ms`, `≤ ${chartMs} ms`, chart <= chartMs),
    reportLimit('click to row, p95', `${p95.toFixed(0)} ms`, `≤ ${clickToRowMs} ms`, p95 <= clickToRowMs),
  ].every(Boolean);
}
