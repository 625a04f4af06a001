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

const secretNames =
  'pass(?:word|wd|phrase)?|secret|[a-z_-]*token|api[-_]?key|anon[-_]?key|authorization|(?:set-)?cookie|jwt|otp|code_verifier|code_challenge|e-?mail|phone(?:[-_]?number)?';
const secretName = new RegExp(
  `^(?:${secretNames}|session|credentials?|refresh.*|access.*|new_?password|.*password)$`,
  'i',
);

/** In this order: a query is gone before its parts are looked at. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/([?#])[\w.%~[\]-]+=[^\s"'<>)]*/g, `$1${gone}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${gone}`],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, gone],
  [/\bsb_(?:publishable|secret)_[\w-]+/g, gone],
  [
    new RegExp(`(["']?\\b(?:${secretNames})["']?\\s*[:=]\\s*)("[^"]*"|'[^']*'|[^\\s,;&}]+)`, 'gi'),
    `$1${gone}`,
  ],
  [/[\w.%+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, gone],
  [/\+[1-9]\d{6,14}\b/g, gone],
];

/** A text without what may not leave. */
export function redactText(text: string): string {
  // Cut first: a shape that begins within the limit must not survive by losing its end.
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return shapes.reduce((clean, [shape, instead]) => clean.replace(shape, instead), cut);
}

/** What an error says, its own fields included; they are not enumerable. */
const fieldsOf = (error: Error): Readonly<Record<string, unknown>> => ({
  ...error,
  name: error.name,
  message: error.message,
  stack: error.stack,
  ...(error.cause !== undefined && { cause: error.cause }),
});

/** Any value as JSON without what may not leave. */
export function redact(value: unknown, depth = 0, above: readonly object[] = []): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid date' : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (typeof value !== 'object') return redactText(String(value));
  if (above.includes(value)) return '[circular]';
  if (depth === mostDepth) return '[deeper]';
  const within = [...above, value];
  if (value instanceof Map) return redact(Object.fromEntries(value), depth, within);
  if (Array.isArray(value) || value instanceof Set) {
    const items: readonly unknown[] = [...value];
    return items.slice(0, mostEntries).map((item) => redact(item, depth + 1, within));
  }
  const fields = Object.entries(value instanceof Error ? fieldsOf(value) : value).slice(0, mostEntries);
  return Object.fromEntries(
    fields.map(([name, field]) => [
      redactText(name),
      secretName.test(name) ? gone : redact(field, depth + 1, within),
    ]),
  );
}
