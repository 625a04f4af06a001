/** `/mcp`: the document lists its tools, and each one is walked with keys of both scopes. */
import { randomUUID } from 'node:crypto';
import { tools } from '@fulcrum/contract/mcp';
import { beforeAll, expect, test } from 'vitest';
import { makeKey } from '../api-keys/world.ts';
import { server, shareTestServer } from '../harness/index.ts';
import { connect } from '../mcp/client.ts';
import { none, tableUnder } from './matrix.ts';

shareTestServer();
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '60000');
});

test('X-20: the tools are those of the contract', () => {
  expect(tableUnder('Tools')).toEqual(
    tools.map(({ name, scope }) => ({
      ...{ tool: name, 'no key': none, 'trade key': 'own' },
      'read key': scope === 'read' ? 'own' : none,
    })),
  );
});

test('X-20: each tool is for the keys that the document names, and for no other ones', async () => {
  const trader = await server.signUpTrader();
  const expected: string[] = [];
  const walked: string[] = [];
  for (const scope of ['read', 'trade'] as const) {
    const key = await makeKey(trader.client, trader.userId, { p_scopes: [scope] });
    const agent = await connect(server, key);
    const listed = new Set(await agent.toolNames());
    for (const { tool = '', [`${scope} key`]: cell } of tableUnder('Tools')) {
      // The right alone is asked for: none of them has arguments that it could be carried out with.
      const { structuredContent } = await agent.client.callTool({
        name: tool,
        arguments: { none: randomUUID() },
      });
      const { code } = structuredContent as { code: string };
      expected.push(`${tool}, ${scope} key: ${cell === none ? 'refused' : 'let in'}`);
      walked.push(
        `${tool}, ${scope} key: ${code === 'not_allowed' && !listed.has(tool) ? 'refused' : 'let in'}`,
      );
    }
    await agent.close();
  }
  expect(walked).toEqual(expected);
});
