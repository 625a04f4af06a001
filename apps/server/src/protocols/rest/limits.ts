/** Bounds of one request to `/rest/v1`; each is answered with an error that states it. */
export const limits = {
  /** Rows of one page, whatever the client asks for (A100). */
  pageRows: 1000,
  offsetRows: 1_000_000,
  filters: 20,
  inListValues: 300,
  orderTerms: 5,
  /** Per object: `json_build_object` takes 100 arguments, two per key. */
  selections: 50,
  embeds: 5,
  insertRows: 100,
  valueChars: 1000,
  /** The client warns from 8,000 on; node itself refuses headers above 16 KiB. */
  urlChars: 8192,
  bodyBytes: 64 * 1024,
} as const;
