/**
 * The peer of `web.ts`: a page that joins the same price topics and writes each price into an element of its own with
 * `textContent`, without a framework, a chart or figures derived from the price.
 */
import type { Page } from '@playwright/test';

export interface BarePrices {
  readonly socketUrl: string;
  /** As they are joined: `realtime:prices`, … */
  readonly topics: readonly string[];
  readonly token: string;
}

/** Runs in the page. */
function writePrices({ socketUrl, topics, token }: BarePrices): void {
  interface Cell {
    textContent: string;
  }
  interface Tree {
    createElement(name: string): Cell;
    readonly body: { replaceChildren(): void; append(cell: Cell): void };
  }
  const { document } = globalThis as unknown as { document: Tree };
  const heartbeatMs = 15_000;
  document.body.replaceChildren();
  const cells = new Map<string, Cell>();
  const cellOf = (name: string): Cell => {
    const known = cells.get(name);
    if (known) return known;
    const made = document.createElement('p');
    cells.set(name, made);
    document.body.append(made);
    return made;
  };
  const socket = new WebSocket(socketUrl);
  socket.onopen = () => {
    for (const [i, topic] of topics.entries()) {
      socket.send(JSON.stringify([`${i}`, `${i}`, topic, 'phx_join', { access_token: token }]));
    }
    setInterval(() => socket.send(JSON.stringify([null, 'h', 'phoenix', 'heartbeat', {}])), heartbeatMs);
  };
  socket.onmessage = ({ data }) => {
    const [, , topic, event, body] = JSON.parse(String(data));
    if (event !== 'broadcast') return;
    for (const { symbol, price } of body.payload.ticks) {
      cellOf(`${topic} ${symbol}`).textContent = `${symbol} ${price}`;
    }
  };
}

/** Resolves when prices are on the page. */
export async function openBarePage(page: Page, origin: string, prices: BarePrices): Promise<void> {
  // A page of the server without a script of its own; its policy allows the socket.
  await page.goto(`${origin}/config.json`);
  await page.evaluate(writePrices, prices);
  await page.locator('p').first().waitFor({ state: 'attached' });
}
