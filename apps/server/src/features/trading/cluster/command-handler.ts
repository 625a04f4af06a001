/**
 * Commands of gateways at an engine, under `cmd.<engine>`. The reply says at once which of them were taken; the outcomes follow
 * under `done.<process>` as they are there, so a command that has to wait holds up no other one. Invariant: what the reply calls
 * `moved` or `late` was not done; an outcome may be lost, and the gateway then asks again or does not know.
 */
import type { Clock } from '../../../platform/clock/index.ts';
import type { ClusterLink } from '../../../platform/cluster/link.ts';
import type { Log } from '../../../platform/log/index.ts';
import { outsideRequests, withinRequest } from '../../../platform/request/index.ts';
import { slotOf } from '../engine/slots.ts';
import { decodeCommands, encodeOutcomes, type Outcome, type SentCommand } from './command-codec.ts';
import { CommandLate, type EngineHost, OutcomeUnknown, SlotMoved } from './engine-host.ts';

/** Of each command of a message, in order. `unreadable`: of a release that this one does not understand; nothing was done. */
export type Receipt = 'taken' | 'moved' | 'late' | 'unreadable';

export interface HandlerDependencies {
  readonly link: Pick<ClusterLink, 'serve' | 'publish'>;
  /** Cluster time. */
  readonly clock: Clock;
  readonly host: EngineHost;
  readonly log: Log;
}

type Ended = { readonly id: number; readonly outcome: Outcome };

/** The returned function ends it. */
export function serveCommands({ link, clock, host, log }: HandlerDependencies): () => void {
  /** Outcomes of this step, by the process that waits for them. */
  let ended = new Map<string, Ended[]>();

  function tell(to: string, one: Ended): void {
    if (ended.size === 0) setImmediate(flush);
    const waiting = ended.get(to);
    if (waiting) waiting.push(one);
    else ended.set(to, [one]);
  }
  function flush(): void {
    const all = ended;
    ended = new Map();
    for (const [to, outcomes] of all) link.publish(`done.${to}`, encodeOutcomes(outcomes));
  }

  function receive(from: string, sent: SentCommand | null): Receipt {
    if (sent === null) return 'unreadable';
    const { id, until, origin, command, key, requestId } = sent;
    if (clock.now() > until) return 'late';
    if (!host.ownsSlot(slotOf(origin.accountId))) return 'moved';
    const submit = () => host.submit(origin, command, key, until);
    const submitted = requestId === null ? outsideRequests(submit) : withinRequest(requestId, submit);
    submitted.then(
      (answer) => tell(from, { id, outcome: { kind: 'done', answer } }),
      (error: Error) => tell(from, { id, outcome: toOutcome(error) }),
    );
    return 'taken';
  }

  return link.serve(`cmd.${host.engine}`, (payload) => {
    const message = decodeCommands(payload);
    if (message !== null) return { receipts: message.commands.map((sent) => receive(message.from, sent)) };
    log.warn('a message of commands cannot be read');
    return { receipts: [] };
  });
}

function toOutcome(error: Error): Outcome {
  if (error instanceof SlotMoved) return { kind: 'moved' };
  if (error instanceof CommandLate) return { kind: 'late' };
  if (error instanceof OutcomeUnknown) return { kind: 'unknown' };
  return { kind: 'refused', error };
}
