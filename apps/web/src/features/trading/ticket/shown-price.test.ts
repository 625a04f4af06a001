import { expect, test } from 'vitest';
import type { LastPrice, PriceStream } from '../../market/index.ts';
import { samplePrice } from './shown-price.ts';

test('all listeners get one sample, whenever they read it', () => {
  let price = 100;
  const gates = new Set<() => void>();
  const stream = {
    latest: () => ({ price }) as LastPrice,
    subscribe: (_symbol: string, changed: () => void) => {
      gates.add(changed);
      return () => gates.delete(changed);
    },
  } satisfies Pick<PriceStream, 'latest' | 'subscribe'>;
  const shown = samplePrice(stream, 'BTCUSDT');
  const seen: unknown[] = [];
  const stops = [0, 1].map(() => shown.subscribe(() => seen.push(shown.get())));
  expect(gates.size).toBe(1);
  price = 101;
  expect(shown.get()).toBe(100);
  for (const changed of gates) changed();
  expect(seen).toEqual([101, 101]);
  for (const stop of stops) stop();
  expect(gates.size).toBe(0);
  price = 102;
  expect(shown.get()).toBe(102);
});
