/**
 * Reads the text of a language model from an API of the OpenAI shape (`/chat/completions`, as a stream of server-sent events). Invariants:
 * a request has the instructions and one message, no tools and nothing else; time, bytes and characters are bounded.
 *
 * Known limitation: parameters that only some of these APIs take (temperature, most tokens) are left out; the length is cut here.
 */
import type { LanguageModel } from '../../platform/config/index.ts';
import { OutboundError, type StreamingOutbound } from '../../platform/outbound/index.ts';

const timeoutMs = 60_000;
const bytesMax = 512 * 1024;
/** One line of the stream. */
const lineLengthMax = 64 * 1024;

const encoder = new TextEncoder();

interface ModelRequest {
  readonly instructions: string;
  readonly message: string;
  readonly signal: AbortSignal;
}

/** The text of one chunk of a stream, or of a whole answer; '' for one without text. @throws OutboundError */
function textOfChunk(host: string, json: string): string {
  let chunk: unknown;
  try {
    chunk = JSON.parse(json);
  } catch {
    throw new OutboundError('network', `${host}: a chunk is no JSON`);
  }
  const { choices, error } = (chunk ?? {}) as { readonly choices?: unknown; readonly error?: unknown };
  if (error !== undefined && error !== null) throw new OutboundError('network', `${host}: the model failed`);
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  const { delta, message } = (choice ?? {}) as Record<
    'delta' | 'message',
    { readonly content?: unknown } | undefined
  >;
  const content = delta?.content ?? message?.content;
  return typeof content === 'string' ? content : '';
}

/** The data of server-sent events. @throws OutboundError for a line without an end */
async function* eventsOf(
  host: string,
  parts: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const part of parts) {
    rest += part;
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > lineLengthMax) throw new OutboundError('too-large', `${host}: a line has no end`);
    for (const line of lines) if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
  }
  if (rest.startsWith('data:')) yield rest.slice('data:'.length).trim();
}

const thinkingStart = '<think>';
const thinkingEnd = '</think>';

/** Without what a reasoning model thinks before it answers. */
async function* withoutThinking(parts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let start: string | null = '';
  for await (const part of parts) {
    if (start === null) {
      yield part;
      continue;
    }
    start += part;
    const text = start.trimStart();
    if (text.startsWith(thinkingStart)) {
      const end = text.indexOf(thinkingEnd);
      if (end < 0) continue;
      start = null;
      yield text.slice(end + thinkingEnd.length);
    } else if (!thinkingStart.startsWith(text)) {
      start = null;
      yield text;
    }
  }
  if (start !== null && !start.trimStart().startsWith(thinkingStart)) yield start;
}

export function createModel(
  { url, name, key }: LanguageModel,
  outbound: Pick<StreamingOutbound, 'postForStream'>,
) {
  const { host } = new URL(url);

  async function* readText({
    instructions,
    message,
    signal,
  }: ModelRequest): AsyncGenerator<string, void, undefined> {
    const { status, headers, parts } = await outbound.postForStream(`${url}/chat/completions`, {
      ...{ timeoutMs, bytesMax, signal, allowHttp: true },
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: encoder.encode(
        JSON.stringify({
          model: name,
          stream: true,
          messages: [
            { role: 'system', content: instructions },
            { role: 'user', content: message },
          ],
        }),
      ),
    });
    if (status !== 200) {
      // Ends the request without its body, which may repeat what was sent.
      for await (const _ of parts) break;
      throw new OutboundError('network', `${host}: answered ${status}`);
    }
    const { 'content-type': contentType = '' } = headers;
    if (!contentType.includes('text/event-stream')) {
      let body = '';
      for await (const part of parts) body += part;
      yield textOfChunk(host, body);
      return;
    }
    for await (const event of eventsOf(host, parts)) {
      if (event === '[DONE]') return;
      const text = textOfChunk(host, event);
      if (text !== '') yield text;
    }
    // Broken off: a proxy may end the body in an orderly way.
    throw new OutboundError('network', `${host}: the text has no end`);
  }

  return { name, host, read: (request: ModelRequest) => withoutThinking(readText(request)) };
}
export type Model = ReturnType<typeof createModel>;
