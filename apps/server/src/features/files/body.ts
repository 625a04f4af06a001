/** The bytes of an upload on their way in: as fast as they must come, their beginning, and no more than are allowed. */
import { FileError } from './errors.ts';
import { signatureBytes } from './images.ts';
import type { Pace } from './pace.ts';

/** `body`, as long as its sender keeps pace. @throws FileError `upload_too_slow` */
export function paced(body: AsyncIterator<Buffer>, pace: Pace): AsyncIterator<Buffer> {
  return {
    async next() {
      const result = await pace.wait(body.next());
      if (!result.done) pace.count(result.value.length);
      return result;
    },
  };
}

/** The beginning of a file, at least as long as a signature unless the file is shorter. */
export async function headOf(body: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < signatureBytes) {
    const { done, value } = await body.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** The whole file again. @throws FileError `image_too_large` at the first byte beyond `bytesMax` */
export async function* bounded(
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
