/** A process of a measurement: its job arrives as its first message, and a failure ends it. */
export function onJob<Job>(run: (job: Job) => Promise<void>): void {
  process.once('message', (job: Job) => {
    run(job).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
}

/** The result is the only answer, and the end of the process. */
export const answerJob = <Job, Answer>(run: (job: Job) => Promise<Answer>): void =>
  onJob<Job>(async (job) => {
    process.send?.(await run(job), undefined, undefined, () => process.disconnect());
  });

/** Runs each command as it arrives and sends its result, if it has one; `stop` ends the process. */
export function onCommands<Command extends string>(
  commands: Readonly<Record<Command | 'stop', () => unknown>>,
): void {
  process.on('message', async (command: Command | 'stop') => {
    const answer = await commands[command]();
    if (command === 'stop') process.disconnect();
    else if (answer !== undefined) process.send?.(answer);
  });
}
