import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { ephemeralPorts, freePort } from './free-port.ts';

test('a free port is not the kernel’s to give, and is given once', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
  const { first, last } = ephemeralPorts();
  for (const port of ports) expect(port < first || port > last, `${port}`).toBe(true);

  const [port] = ports;
  for (const _ of [1, 2]) {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  }
});
