/** Stops started services in reverse order, so that a failed start leaves nothing behind either. */
import type { Log } from './log/index.ts';

export class Teardown {
  readonly #steps: { name: string; close: () => unknown }[] = [];
  add(name: string, close: () => unknown): void {
    this.#steps.push({ name, close });
  }
  /** Registers the stop before the start: a start that fails half-way has timers and connections to release. */
  async start(name: string, service: { start(): Promise<unknown>; stop(): unknown }): Promise<void> {
    this.add(name, () => service.stop());
    await service.start();
  }
  async run(log: Log): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step.close();
      } catch (error) {
        log.error({ err: error }, `stopping ${step.name} failed`);
      }
    }
  }
}
