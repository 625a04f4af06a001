/** The official client of the Model Context Protocol, unmodified, at the door of a test's server. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { bearerOf, type MadeKey } from '../api-keys/world.ts';
import type { TestServer } from '../harness/index.ts';

/** `legacy` is the handshake of 2025, which most agents speak; the other one is the revision of 2026, without a handshake. */
export const revisions = ['legacy', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** The text of an answer's body is JSON of any tool. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any tool
export type Content = any;

export async function connectWith(
  { url }: Pick<TestServer, 'url'>,
  headers: Record<string, string>,
  revision: Revision = 'legacy',
) {
  const mode = revision === 'legacy' ? revision : { pin: revision };
  const client = new Client({ name: 'a-test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return {
    client,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    /** The content of an answer that is no refusal. */
    async call(name: string, args: Record<string, unknown> = {}): Promise<Content> {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
      if (isError) throw new Error(JSON.stringify(structuredContent));
      if (
        JSON.stringify(content) !==
        JSON.stringify([{ type: 'text', text: JSON.stringify(structuredContent) }])
      )
        throw new Error('the text of an answer is not its content');
      return structuredContent;
    },
    /** The refusal of a call. */
    async refusal(name: string, args: Record<string, unknown> = {}): Promise<Content> {
      const { isError, structuredContent } = await client.callTool({ name, arguments: args });
      if (!isError) throw new Error(`${name} was not refused`);
      return structuredContent;
    },
    close: () => client.close(),
  };
}

export const connect = (server: Pick<TestServer, 'url'>, key: MadeKey, revision?: Revision) =>
  connectWith(server, { authorization: bearerOf(key) }, revision);
export type Agent = Awaited<ReturnType<typeof connect>>;
