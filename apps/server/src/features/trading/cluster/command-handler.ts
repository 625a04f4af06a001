/**
 * Commands of gateways at an engine, under `cmd.<engine>`. The reply says at once which of them were taken; the outcomes follow
 * under `done.<process>` as they are there, so a command that has to wait holds up no other one. Invariant: what the reply calls
 * `moved` or `late` was not done; an outcome may be lost, and the gateway then asks again or does not know.
 */
import type { Clock } from '../../../platform/clock/index.ts';
import type { ClusterLink } from '../../../platform/cluster/link.ts';
import type { Log } from '../../../platform/log/index.ts';
import { withinRequestOrNone } from '../../../platform/request/index.ts';
import { slotOf } from '../engine/slots.ts';
import {
  decodeCommands,
  encodeOutcomes,
  type Outcome,
  outcomeOf,
  type SentCommand,
} from './command-codec.ts';
import type { EngineHost } from './engine-host.ts';

/** Of each command of a message, in order. `unreadable`: of a release that this one does not understand; nothing was done. */
type Receipt = 'taken' | 'moved' | 'late' | 'unreadable';

interface HandlerDependencies {
  readonly link: Pick<ClusterLink, 'serve' | 'publish'>;
  /** Cluster time. */
  readonly clock: Clock;
  readonly host: EngineHost;
  readonly log: Log;
}

type Ended = { readonly id: number; readonly outcome: Outcome };

/** Serves the engines that this process has, which may be others later. */
export function serveEngines(deps: Omit<HandlerDependencies, 'host'>, hosts: () => readonly EngineHost[]) {
  const serving = new Map<number, () => void>();
  let isStopped = false;
  return {
    /** Called when an engine of this process begins or ends. */
    refresh(): void {
      if (isStopped) return;
      const current = new Map(hosts().map((host) => [host.engine, host]));
      for (const [engine, end] of serving) {
        if (current.has(engine)) continue;
        end();
        serving.delete(engine);
      }
      for (const [engine, host] of current)
        if (!serving.has(engine)) serving.set(engine, serveCommands({ ...deps, host }));
    },
    stop(): void {
      isStopped = true;
      for (const end of serving.values()) end();
      serving.clear();
    },
  };
}

/** The returned function ends it. */
function serveCommands({ link, clock, host, log }: HandlerDependencies): () => void {
  /** Outcomes of this step, by the process that waits for them. */
  let ended = new Map<string, Ended[]>();

  function report(to: string, one: Ended): void {
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
    const submitted = withinRequestOrNone(requestId, () => host.submit(origin, command, key, until));
    void outcomeOf(submitted).then((outcome) => report(from, { id, outcome }));
    return 'taken';
  }

  return link.serve(`cmd.${host.engine}`, (payload) => {
    const message = decodeCommands(payload);
    if (message !== null) return { receipts: message.commands.map((sent) => receive(message.from, sent)) };
    log.warn('a message of commands cannot be read');
    return { receipts: [] };
  });
}
