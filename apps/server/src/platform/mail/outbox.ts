/**
 * The outbox of a server without SMTP: each mail is a file that any mail program opens. Invariants: only the user of the
 * server's process can read it, because its links open accounts; a named file is complete, also after a power cut; the
 * newest `filesMax` files are stored.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Log } from '../log/index.ts';
import { MailError } from './mail-error.ts';
import { buildMime } from './mime.ts';
import type { MailTransport } from './types.ts';

const filesMax = 1000;
const suffix = '.eml';

export function createOutbox(folder: string, log: Log): MailTransport {
  let written = 0;
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await composer.sendMail(buildMime(mail));
      // Time and number sort the folder; the name is logged, so it contains no address.
      const at = mail.date.toISOString().replaceAll(/[-:]/g, '').replace('.', '-');
      written += 1;
      const name = `${at}-${String(written).padStart(6, '0')}-${randomBytes(4).toString('hex')}`;
      const file = join(folder, `${name}${suffix}`);
      try {
        await write(folder, file, message);
        await dropOldest(folder);
      } catch (error) {
        throw new MailError(`the outbox cannot be written: ${(error as Error).message}`, 'later', {
          cause: error,
        });
      }
      log.info({ file }, 'a mail is in the outbox');
    },
    close: () => undefined,
  };
}

async function write(folder: string, file: string, content: Buffer | NodeJS.ReadableStream): Promise<void> {
  if (!Buffer.isBuffer(content)) throw new Error('the mail was composed as a stream');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An existing folder would keep its mode.
  await chmod(folder, 0o700);
  const unfinished = `${file}.part`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function dropOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(suffix)).sort();
  const surplus = files.slice(0, Math.max(0, files.length - filesMax));
  await Promise.all(surplus.map((name) => rm(join(folder, name), { force: true })));
}
