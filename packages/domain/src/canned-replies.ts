/**
 * Default replies of support, with placeholders for names. Invariants: no reply promises what this server does not
 * do, and each that mentions money states that it is simulated. A placeholder without a value stays visible, so that
 * support notices it before sending.
 */

/** The values of the placeholders. */
export interface ReplyVariables {
  readonly username: string;
  readonly agent: string;
}

export interface CannedReply {
  /** Typed after `/`: letters, digits and hyphens. */
  readonly shortcut: string;
  readonly content: string;
}

/** Bounds of an agent's own replies; the table has the same. */
export const cannedReplyLimits = { shortcut: 24, content: 2_000, count: 100 } as const;

/** 1-24 lowercase letters, digits or hyphens, not starting with a hyphen. */
export const isReplyShortcut = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,23}$/.test(text);

export const defaultReplies = [
  { shortcut: 'hello', content: 'Hello {username}, this is {agent} from support. How can I help you?' },
  { shortcut: 'moment', content: 'One moment please, {username}. I am looking into it now.' },
  {
    shortcut: 'more',
    content:
      'Could you tell me a little more, {username}? The pair, the time and what you expected to see would help me to find it.',
  },
  {
    shortcut: 'simulated',
    content:
      'Fulcrum is a simulator: the balance in your wallet is simulated money. Nothing can be paid in or out, and no trade reaches a real market.',
  },
  {
    shortcut: 'margin',
    content:
      'Each open position holds margin: entry price times size, divided by the leverage. Your available balance is your balance less that margin and less what waiting orders hold back. The margin comes back when the position closes, together with its profit or loss. It is all simulated money.',
  },
  {
    shortcut: 'leverage',
    content:
      'The leverage of a position is fixed when it opens. A new position can have another leverage; the higher it is, the less margin it holds and the closer its liquidation price is to the entry.',
  },
  {
    shortcut: 'liquidation',
    content:
      'A position is liquidated when the market reaches its liquidation price, because its loss has then used up its margin. You see that price in the row of the position. A stop loss set before it closes the position earlier. The money is simulated.',
  },
  {
    shortcut: 'prices',
    content:
      'Every price shows its source: live, delayed, replayed or simulated. A market that is closed or whose price is stale cannot be traded until the next price arrives.',
  },
  {
    shortcut: 'verification',
    content:
      'You can send your documents for the identity check from your profile. An administrator decides on them; support sees the state of the check, never the documents.',
  },
  {
    shortcut: 'bye',
    content:
      'Is there anything else, {username}? Otherwise I close this session. You can write again at any time, and afterwards you can rate how it went.',
  },
] as const satisfies readonly CannedReply[];

/** Fills the placeholders of a text; one without a value stays as it is. */
export function fillReply(content: string, variables: ReplyVariables): string {
  return content.replaceAll(/\{(username|agent)\}/g, (match, name: keyof ReplyVariables) =>
    variables[name] === '' ? match : variables[name],
  );
}

/**
 * Rank of a match: the shortcut begins with the query, the shortcut contains it, the text contains it; null for no
 * match.
 */
function matchRank({ shortcut, content }: CannedReply, query: string): number | null {
  if (shortcut.startsWith(query)) return 0;
  if (shortcut.includes(query)) return 1;
  return content.toLowerCase().includes(query) ? 2 : null;
}

/** The replies that match the query, best first; equal ranks keep the given order. */
export function findReplies<Reply extends CannedReply>(
  replies: readonly Reply[],
  typed: string,
): readonly Reply[] {
  const query = typed.trim().toLowerCase().replace(/^\//, '');
  if (query === '') return replies;
  return replies
    .map((reply) => ({ reply, fit: matchRank(reply, query) }))
    .filter((found): found is { reply: Reply; fit: number } => found.fit !== null)
    .sort((one, other) => one.fit - other.fit)
    .map(({ reply }) => reply);
}
