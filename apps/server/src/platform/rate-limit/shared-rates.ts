/**
 * Rates that hold over all gateways of a cluster: every quarter second each one sends what was taken from its buckets, and the others
 * take it from theirs. Invariant: beyond a quarter second a holder gets burst and rate once, however many gateways it uses. What was taken at
 * several of them within that time is a debt of all their buckets. Known limitation: what a lost message stated is not counted.
 */
import { z } from 'zod';
import type { Timers } from '../clock/index.ts';
import type { ClusterLink } from '../cluster/link.ts';
import type { defaultLimits } from '../limits/index.ts';

type TakeTokens = (holder: string, tokens: number) => void;
/** Gets what takes over the takings of other processes; returns what is called with each taking of this one. */
export type ShareRate = (takeOver: TakeTokens) => TakeTokens;
type SharedRateName = keyof typeof defaultLimits;

export interface SharedRates {
  rate(name: SharedRateName): ShareRate;
}

const sendEveryMs = 250;
const subject = 'gateway.rates';
const takingsMessage = z.object({
  takings: z.array(z.tuple([z.string(), z.string(), z.number().positive()])),
});

interface SharedRatesDependencies {
  readonly link: Pick<ClusterLink, 'publish' | 'subscribe'>;
  readonly timers: Timers;
}

export function shareRates({ link, timers }: SharedRatesDependencies): SharedRates & { stop(): void } {
  const limits = new Map<string, { readonly taken: Map<string, number>; readonly takeOver: TakeTokens }>();

  function send(): void {
    const takings = [...limits].flatMap(([name, { taken }]) =>
      [...taken].map(([holder, tokens]) => [name, holder, tokens] as const),
    );
    for (const { taken } of limits.values()) taken.clear();
    if (takings.length > 0) link.publish(subject, { takings });
  }

  const stops = [
    timers.every(sendEveryMs, send),
    link.subscribe(subject, (payload) => {
      const read = takingsMessage.safeParse(payload);
      if (!read.success) return;
      for (const [name, holder, tokens] of read.data.takings) limits.get(name)?.takeOver(holder, tokens);
    }),
  ];
  return {
    rate: (name) => (takeOver) => {
      const taken = new Map<string, number>();
      limits.set(name, { taken, takeOver });
      return (holder, tokens) => void taken.set(holder, (taken.get(holder) ?? 0) + tokens);
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
