/** The page that a read asks for: `limit`/`offset`, else the `Range` header, else the first page. */
import { malformed, RestError } from './errors.ts';
import { limits } from './limits.ts';
import { once } from './table-request.ts';

export interface Page {
  readonly offset: number;
  /** Rows at most, never above the cap. */
  readonly limit: number;
  /** True when `limit` is the cap and not the client's own wish. */
  readonly capped: boolean;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw malformed(`"${name}" must be a whole number from 0`);
  return Number(text);
}

/** @throws RestError PGRST100, or 416 PGRST103 for a Range that ends before it begins. */
export function parsePage(
  search: URLSearchParams,
  headers: Readonly<Record<string, string | undefined>>,
): Page {
  const limit = once(search, 'limit');
  const offset = once(search, 'offset');
  let from = offset === null ? 0 : wholeNumber('offset', offset);
  let requested = limit === null ? null : wholeNumber('limit', limit);

  const unit = headers['range-unit'] ?? 'items';
  const range = /^(?:items=)?(\d{1,10})-(\d{1,10})?$/.exec(headers.range ?? '');
  if (range && unit === 'items' && limit === null && offset === null) {
    from = Number(range[1]);
    requested = range[2] === undefined ? null : Number(range[2]) - from + 1;
    if (requested !== null && requested < 1) {
      throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
        details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      });
    }
  }
  if (from > limits.offsetRows) throw malformed(`An offset is at most ${limits.offsetRows}`);
  const capped = requested === null || requested > limits.pageRows;
  return { offset: from, limit: capped ? limits.pageRows : (requested ?? limits.pageRows), capped };
}
