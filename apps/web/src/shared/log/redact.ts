/**
 * Removes from a log what must not leave the browser: tokens, passwords, keys, addresses, and the queries of links, which may
 * contain codes. Known secrets are found by field name, others by their shape in any text. Invariant: the result is plain JSON
 * of bounded depth and size for any input.
 *
 * Known limitation: a secret in free text, with neither name nor shape, is not recognised.
 */
const redacted = '[redacted]';
const depthMax = 5;
const entriesMax = 50;
const charactersMax = 2_000;

/** Parts of field names, in any case and position: `newPassword`, `token_hash`, `p_email`. */
const secretNames =
  'pass(?:word|wd|phrase)|secret|token|api[-_]?key|anon[-_]?key|authorization|cookie|jwt|otp|code[-_]?(?:verifier|challenge)|(?:auth|login|recovery|verification|confirmation)[-_]?code|e-?mail|phone';
const secretName = new RegExp(
  `^(?:.*(?:${secretNames}).*|pass|session|credentials?|refresh.*|access.*)$`,
  'i',
);

/** Applied in this order: a query is removed before its parts are examined. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/([?#])[^\s"'<>)=?#]*=[^\s"'<>)]*/g, `$1${redacted}`],
  // A header's value is the rest of its line.
  [/\b((?:set-)?cookie|authorization)\s*[:=]\s*[^\r\n"']+/gi, `$1: ${redacted}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${redacted}`],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, redacted],
  [/\bsb_(?:publishable|secret)_[\w-]+/g, redacted],
  [
    // JSON within JSON has escaped quotes: a value ends with the kind of quote that started it, or with the text.
    new RegExp(
      `(?<head>(?<![\\w-])[\\w-]*?(?:${secretNames})[\\w-]*\\\\*["']?\\s*(?:=>|[:=])\\s*)(?:(?<quote>\\\\*["'])[\\s\\S]*?(?:(?<!\\\\)\\k<quote>|$)|[^\\s,;&}]+)`,
      'gi',
    ),
    `$<head>${redacted}`,
  ],
  [/[^\s@"'<>,;:()\\/]{1,64}@(?:[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|localhost)/gu, redacted],
  [/\+[1-9](?:[ ()-]?\d){6,14}\b/g, redacted],
];

/** Truncates a long text and drops its last, possibly incomplete word. */
const truncateText = (text: string): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax).replace(/[^\s"',]{1,128}$/, '')}…` : text;

/** Redacts a text. */
export function redactText(text: string): string {
  return secretPatterns.reduce(
    (clean, [shape, instead]) => clean.replace(shape, instead),
    truncateText(text),
  );
}

/** The fields of an error, including the non-enumerable ones. */
const errorFields = (error: Error): Readonly<Record<string, unknown>> => ({
  ...error,
  name: error.name,
  message: error.message,
  stack: error.stack,
  ...(error.cause !== undefined && { cause: error.cause }),
});

/** The readable fields of an object; a getter may throw. */
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(value instanceof Error ? errorFields(value) : value).slice(0, entriesMax);
  } catch {
    return [['unreadable', true]];
  }
}

/** Whether a pair is a header or form field whose name marks the value as secret. */
const isSecretPair = (items: readonly unknown[]): boolean =>
  items.length === 2 && typeof items[0] === 'string' && secretName.test(items[0]);

/** Converts any value to redacted JSON. */
export function redact(value: unknown, depth = 0, ancestors: readonly object[] = []): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object') return redactText(String(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid date' : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return '[bytes]';
  if (ancestors.includes(value)) return '[circular]';
  if (depth === depthMax) return '[deeper]';
  const path = [...ancestors, value];
  if (value instanceof Map) return redact(Object.fromEntries(value), depth, path);
  if (Array.isArray(value) || value instanceof Set) {
    const items: readonly unknown[] = [...value];
    if (isSecretPair(items)) return [items[0], redacted];
    return items.slice(0, entriesMax).map((item) => redact(item, depth + 1, path));
  }
  return Object.fromEntries(
    entriesOf(value).map(([name, field]) => [
      redactText(name),
      secretName.test(name) ? redacted : redact(field, depth + 1, path),
    ]),
  );
}
