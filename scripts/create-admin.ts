/**
 * `npm run create-admin`: creates an administrator, with or without a running server. On a terminal it prompts; otherwise
 * `--email` and `--username` name the administrator, and the password is the first line of standard input (an argument would
 * be visible in the list of processes). `--reset-password` sets a new password for an administrator who is locked out.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { createOperatorCommands, type OperatorCommands } from '../apps/server/src/features/identity/index.ts';
import { refuseUnfinishedDirectory } from '../apps/server/src/platform/backup/index.ts';
import { systemClock } from '../apps/server/src/platform/clock/index.ts';
import { loadConfig } from '../apps/server/src/platform/config/index.ts';
import { createLog } from '../apps/server/src/platform/log/index.ts';
import { StartError } from '../apps/server/src/platform/start-error.ts';
import { withServerDatabase } from './server-database.ts';
import { runTool } from './tools.ts';

interface Request {
  readonly action: 'create' | 'reset-password';
  readonly email: string;
  /** Empty for a reset. */
  readonly username: string;
  readonly password: string;
}

/** Far more than any password; standard input may be the wrong file. */
const stdinBytesMax = 10_000;

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      username: { type: 'string' },
      'reset-password': { type: 'boolean', default: false },
    },
  });
  const action = values['reset-password'] ? 'reset-password' : 'create';
  const config = loadConfig(process.env);
  refuseUnfinishedDirectory(config.dataDir);
  const request = process.stdin.isTTY
    ? await askOnTerminal(action, values)
    : await readArguments(action, values);
  const log = createLog({ logLevel: 'warn' });
  const message = await withServerDatabase(config, log, (db) =>
    run(createOperatorCommands({ db, clock: systemClock, log }), request),
  );
  console.log(message);
});

async function run(commands: OperatorCommands, { action, ...request }: Request): Promise<string> {
  if (action === 'create') {
    const user = await commands.createAdmin(request);
    return `${user.email} (${user.username}) is an administrator and can sign in now.`;
  }
  const { user, sessionsEnded } = await commands.resetAdminPassword(request);
  return `${user.email} has a new password; ${sessionsEnded} sessions ended (a running server refuses them within seconds).`;
}

type Arguments = { readonly email?: string | undefined; readonly username?: string | undefined };

async function readArguments(action: Request['action'], { email, username }: Arguments): Promise<Request> {
  if (email === undefined || (action === 'create' && username === undefined)) {
    throw new StartError(
      'without a terminal: npm run create-admin -- --email EMAIL --username NAME < PASSWORD_FILE (or --reset-password --email EMAIL)',
    );
  }
  return { action, email, username: username ?? '', password: await readPassword() };
}

async function readPassword(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > stdinBytesMax) throw new StartError('standard input is no password: it is too long');
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new StartError('standard input is empty; it has to hold the password');
  return line;
}

async function askOnTerminal(action: Request['action'], options: Arguments): Promise<Request> {
  let isHidden = false;
  const screen = new Writable({
    write(chunk, _encoding, message) {
      if (!isHidden) process.stdout.write(chunk);
      message();
    },
  });
  const terminal = createInterface({ input: process.stdin, output: screen, terminal: true });
  // Ctrl-C while a question is open.
  terminal.on('SIGINT', () => process.exit(130));
  const hidden = async (question: string) => {
    process.stdout.write(question);
    isHidden = true;
    try {
      return await terminal.question('');
    } finally {
      isHidden = false;
      process.stdout.write('\n');
    }
  };
  try {
    const email = options.email ?? (await terminal.question('Email: '));
    const username = action === 'create' ? (options.username ?? (await terminal.question('Username: '))) : '';
    const password = await hidden('Password: ');
    if ((await hidden('Password again: ')) !== password) throw new StartError('the passwords differ');
    return { action, email: email.trim(), username: username.trim(), password };
  } finally {
    terminal.close();
  }
}
