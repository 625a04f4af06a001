/** Bounds of one request to `/rest/v1`; each is answered with an error that states it. */
export const limits = {
  /** Rows of one page, whatever the client asks for (A100). */
  pageRows: 1000,
  offsetRows: 1_000_000,
  /** Comparisons of one request, those inside `or` and `and` included. */
  filters: 40,
  /** Groups inside groups: `or=(and(…))` is two. */
  logicDepth: 4,
  inListValues: 300,
  /** Patterns or values of one `(any)` or `(all)`. */
  quantifiedValues: 50,
  orderTerms: 5,
  /** Per object: `json_build_object` takes 100 arguments, two per key. */
  selections: 50,
  embeds: 5,
  insertRows: 100,
  /** Rows of one update. */
  updateRows: 100,
  /** Rows of one delete. */
  deleteRows: 1000,
  /** A value in the query string. */
  valueChars: 1000,
  /** A text in a body; what a column takes is its own, narrower rule. */
  textChars: 20_000,
  textListValues: 100,
  /** The JSON text of a `jsonb` value. */
  jsonChars: 16_384,
  jsonDepth: 16,
  /** The client warns from 8,000 on; node itself refuses headers above 16 KiB. */
  urlChars: 8192,
  bodyBytes: 64 * 1024,
} as const;
