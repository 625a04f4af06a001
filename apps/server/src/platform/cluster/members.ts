/**
 * The processes of a cluster: each states its own figures every second, and keeps the last ones of the others. Invariant: a process that
 * has been silent for five seconds is marked; after a minute, or when it has said that it stops, it is forgotten. Figures are for
 * people and for `/metrics`; nothing is decided by them.
 */
import { z } from 'zod';
import type { Timers } from '../clock/index.ts';
import type { ClusterLink } from './link.ts';

const announceEveryMs = 1_000;
const silentAfterMs = 5_000;
const forgottenAfterMs = 60_000;
/** More than a cluster has. */
const membersMax = 256;

const time = z.string();
const figures = z.object({
  /** Name of its machine. */
  name: z.string(),
  version: z.string(),
  startedAt: time,
  roles: z.array(z.string()),
  /** `market`, `ledger`, `chores`: those that it holds. */
  duties: z.array(z.string()),
  /** Slots of accounts that its engines serve. */
  slots: z.number(),
  /** Commands and crossings that wait for its engines. */
  queued: z.number(),
  batches: z.number(),
  commands: z.number(),
  sockets: z.number(),
  /** Results of the ledger verification, of the holder of that duty. */
  ledger: z
    .object({
      checkedAt: time.nullable(),
      fullCheckedAt: time.nullable(),
      checks: z.array(
        z.object({ number: z.number(), title: z.string(), ok: z.boolean(), detail: z.string() }),
      ),
    })
    .nullable(),
});
export type MemberFigures = z.output<typeof figures>;
const hereMessage = z.object({ process: z.string(), figures: figures.nullable() });

export interface Member extends MemberFigures {
  readonly process: string;
  readonly isSilent: boolean;
}

export interface Members {
  /** This process first. */
  list(): readonly Member[];
  stop(): void;
}

interface MembersDependencies {
  readonly link: Pick<ClusterLink, 'processId' | 'publish' | 'subscribe'>;
  readonly timers: Timers;
  readonly own: () => MemberFigures;
}

export function createMembers({ link, timers, own }: MembersDependencies): Members {
  const { processId } = link;
  const others = new Map<string, { readonly figures: MemberFigures; readonly at: number }>();
  const announce = (figuresHere: MemberFigures | null): void =>
    link.publish(`here.${processId}`, { process: processId, figures: figuresHere });
  /** However the clock is set. */
  const ageOf = (at: number): number => Math.abs(timers.now() - at);
  const stops = [
    link.subscribe('here.*', (payload) => {
      const read = hereMessage.safeParse(payload);
      if (!read.success) return;
      const { process, figures: received } = read.data;
      if (received === null) others.delete(process);
      else if (others.has(process) || others.size < membersMax)
        others.set(process, { figures: received, at: timers.now() });
    }),
    timers.every(announceEveryMs, () => {
      for (const [process, { at }] of others) if (ageOf(at) > forgottenAfterMs) others.delete(process);
      announce(own());
    }),
  ];
  announce(own());
  return {
    list: () => [
      { ...own(), process: processId, isSilent: false },
      ...[...others]
        .map(([process, { figures: received, at }]) => ({
          ...{ ...received, process, isSilent: ageOf(at) > silentAfterMs },
        }))
        .sort((a, b) => a.name.localeCompare(b.name) || a.process.localeCompare(b.process)),
    ],
    stop() {
      for (const stop of stops.splice(0)) stop();
      announce(null);
    },
  };
}
