/**
 * Speaks the Model Context Protocol with the official SDK, for one request at a time: no session, no stream, nothing to keep. Loaded at
 * the first request of a key. A refusal of a tool is its answer (`isError`), so that the model that called it reads the reason.
 */
import { type ApiKeyScope, AppError, texts } from '@fulcrum/contract';
import { type Tool as DeclaredTool, type ToolName, tools } from '@fulcrum/contract/mcp';
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { newRequestId } from '../../platform/request/index.ts';
import { version } from '../../platform/version.ts';
import type { Arrivals } from '../exchange/orders/arrivals.ts';
import { parseArguments } from '../rest/rpc.ts';
import { type RestClient, RestRefusal } from './rest-client.ts';
import { toolHandlers } from './tools.ts';

const serverInfo = { name: 'fulcrum', title: 'Fulcrum', version };
const instructions =
  'A simulated trading account: nothing here is worth money. Amounts are in USDT, times in ISO 8601 UTC. Read quote before place: sizes and prices must be on its steps.';

const toolByName: ReadonlyMap<string, DeclaredTool> = new Map(
  tools.map((declared) => [declared.name, declared as DeclaredTool]),
);
const descriptions: readonly Tool[] = tools.map(({ name, title, description, scope, args }) => ({
  ...{ name, title, description },
  inputSchema: z.toJSONSchema(args, { io: 'input' }) as Tool['inputSchema'],
  annotations: {
    readOnlyHint: scope === 'read',
    // A cancelled order cannot be brought back, a closed position neither.
    destructiveHint: scope === 'trade',
    idempotentHint: true,
    openWorldHint: false,
  },
}));

interface ToolVisit {
  readonly scopes: ReadonlySet<ApiKeyScope>;
  readonly rest: RestClient;
  readonly arrivals: Arrivals;
  /** Charges a call of a tool. @throws TooManyAttempts */
  readonly charge: () => void;
  readonly count: (tool: ToolName, outcome: 'done' | 'refused' | 'fault') => void;
  readonly onFault: (error: unknown, about: { readonly request_id: string; readonly tool: string }) => void;
}

type AnyHandler = (
  rest: RestClient,
  args: unknown,
  arrivals: Arrivals,
) => Promise<Readonly<Record<string, unknown>>>;

const answer = (content: Readonly<Record<string, unknown>>, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
  ...(isError && { isError }),
});

/** Null for a fault of the server. */
function refusalOf(error: unknown) {
  if (!(error instanceof AppError || error instanceof RestRefusal)) return null;
  const { code, message, details, hint } = error;
  return { code, message, details, hint };
}

async function callTool(
  name: string,
  sent: unknown,
  { scopes, rest, arrivals, charge, count, onFault }: ToolVisit,
): Promise<CallToolResult> {
  const declared = toolByName.get(name);
  if (!declared)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 100)}.`);
  const tool = declared.name as ToolName;
  try {
    charge();
    if (!scopes.has(declared.scope)) throw new AppError('not_allowed', texts.apiKeyScope(declared.scope));
    // Sound: a handler is called with what its own tool's schema returned.
    const handle = toolHandlers[tool] as AnyHandler;
    const result = await handle(rest, parseArguments(declared, sent), arrivals);
    count(tool, 'done');
    return answer(result);
  } catch (error) {
    const refusal = refusalOf(error);
    count(tool, refusal ? 'refused' : 'fault');
    if (refusal) return answer(refusal, true);
    const requestId = newRequestId();
    onFault(error, { request_id: requestId, tool });
    return answer(
      { code: 'internal', message: texts.unexpectedError, details: `Request ${requestId}` },
      true,
    );
  }
}

/** Answers one request of a caller whose key was found. */
export async function handleToolRequest(request: Request, visit: ToolVisit): Promise<Response> {
  const handler = createMcpHandler(
    () => {
      const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions });
      server.setRequestHandler('tools/list', () => ({
        tools: descriptions.filter(({ name }) => visit.scopes.has(toolByName.get(name)?.scope ?? 'trade')),
      }));
      server.setRequestHandler('tools/call', ({ params }) =>
        callTool(params.name, params.arguments ?? {}, visit),
      );
      return server;
    },
    // The tools of a key never change, so there is nothing to subscribe to.
    { maxSubscriptions: 0 },
  );
  return handler.fetch(request);
}
