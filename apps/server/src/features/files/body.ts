/** Streams of an incoming upload: its minimum pace, its first bytes, and its maximum size. */
import { FileError } from './errors.ts';
import { signatureBytes } from './images.ts';
import type { Pace } from './pace.ts';

/** Passes `body` on while its sender keeps the pace. @throws FileError `upload_too_slow` */
export function requirePace(body: AsyncIterator<Buffer>, pace: Pace): AsyncIterator<Buffer> {
  return {
    async next() {
      const result = await pace.wait(body.next());
      if (!result.done) pace.count(result.value.length);
      return result;
    },
  };
}

/** The first bytes of a file, at least as long as a signature unless the file is shorter. */
export async function readHead(body: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < signatureBytes) {
    const { done, value } = await body.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** Passes the whole file on. @throws FileError `image_too_large` at the first byte beyond `bytesMax` */
export async function* withSizeLimit(
  head: Buffer,
  body: AsyncIterator<Buffer>,
  bytesMax: number,
): AsyncGenerator<Buffer, void, undefined> {
  let received = 0;
  let next: IteratorResult<Buffer, unknown> = { done: false, value: head };
  for (; !next.done; next = await body.next()) {
    received += next.value.length;
    if (received > bytesMax) throw new FileError('image_too_large');
    yield next.value;
  }
}
