/**
 * Takes out of a log what must not leave the browser: tokens, passwords, keys, addresses, and the queries of links, which
 * may carry codes. Known secrets go by the name of their field wherever it stands, the rest by their shape in any text.
 * Invariant: the answer is plain JSON of bounded depth and size, whatever was put in.
 *
 * Known limitation: a secret in free words, with neither a name nor a shape, is not recognised.
 */
const gone = '[redacted]';
const mostDepth = 5;
const mostEntries = 50;
const mostCharacters = 2_000;

/** Parts of names, in whatever case and company: `newPassword`, `token_hash`, `p_email`. */
const secretWords =
  'pass(?:word|wd|phrase)|secret|token|api[-_]?key|anon[-_]?key|authorization|cookie|jwt|otp|code[-_]?(?:verifier|challenge)|(?:auth|login|recovery|verification|confirmation)[-_]?code|e-?mail|phone';
const secretName = new RegExp(
  `^(?:.*(?:${secretWords}).*|pass|session|credentials?|refresh.*|access.*)$`,
  'i',
);

/** In this order: a query is gone before its parts are looked at. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/([?#])[^\s"'<>)=?#]*=[^\s"'<>)]*/g, `$1${gone}`],
  // A header's value is the rest of its line.
  [/\b((?:set-)?cookie|authorization)\s*[:=]\s*[^\r\n"']+/gi, `$1: ${gone}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${gone}`],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, gone],
  [/\bsb_(?:publishable|secret)_[\w-]+/g, gone],
  [
    // JSON within JSON has escaped quotes: a value ends with the quote that it began with, or with the text.
    new RegExp(
      `(?<head>(?<![\\w-])[\\w-]*?(?:${secretWords})[\\w-]*\\\\*["']?\\s*(?:=>|[:=])\\s*)(?:(?<quote>\\\\*["'])[\\s\\S]*?(?:(?<!\\\\)\\k<quote>|$)|[^\\s,;&}]+)`,
      'gi',
    ),
    `$<head>${gone}`,
  ],
  [/[^\s@"'<>,;:()\\/]{1,64}@(?:[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|localhost)/gu, gone],
  [/\+[1-9](?:[ ()-]?\d){6,14}\b/g, gone],
];

/** The beginning of a long text, without what the cut has left of its last word. */
const beginningOf = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters).replace(/[^\s"',]{1,128}$/, '')}…` : text;

/** A text without what may not leave. */
export function redactText(text: string): string {
  return shapes.reduce((clean, [shape, instead]) => clean.replace(shape, instead), beginningOf(text));
}

/** What an error says, its own fields included; they are not enumerable. */
const fieldsOf = (error: Error): Readonly<Record<string, unknown>> => ({
  ...error,
  name: error.name,
  message: error.message,
  stack: error.stack,
  ...(error.cause !== undefined && { cause: error.cause }),
});

/** The fields as they can be read; a getter may throw. */
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(value instanceof Error ? fieldsOf(value) : value).slice(0, mostEntries);
  } catch {
    return [['unreadable', true]];
  }
}

/** A header or a form field as a pair: its name says what the other one is. */
const isSecretPair = (items: readonly unknown[]): boolean =>
  items.length === 2 && typeof items[0] === 'string' && secretName.test(items[0]);

/** Any value as JSON without what may not leave. */
export function redact(value: unknown, depth = 0, above: readonly object[] = []): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object') return redactText(String(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid date' : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return '[bytes]';
  if (above.includes(value)) return '[circular]';
  if (depth === mostDepth) return '[deeper]';
  const within = [...above, value];
  if (value instanceof Map) return redact(Object.fromEntries(value), depth, within);
  if (Array.isArray(value) || value instanceof Set) {
    const items: readonly unknown[] = [...value];
    if (isSecretPair(items)) return [items[0], gone];
    return items.slice(0, mostEntries).map((item) => redact(item, depth + 1, within));
  }
  return Object.fromEntries(
    entriesOf(value).map(([name, field]) => [
      redactText(name),
      secretName.test(name) ? gone : redact(field, depth + 1, within),
    ]),
  );
}
