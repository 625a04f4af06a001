/**
 * The platform in the hands of admins: where prices come from, what holds of the books, the engine, and what can be done about
 * them. Invariants: each act has a reason and is sent once; after each the panel is read again; nothing is shown as well that
 * was not read.
 */
import { useState } from 'react';
import { Link } from 'react-router';
import { useSignedIn } from '../../../../shared/session/index.ts';
import { Badge, Skeleton } from '../../../../shared/ui/index.ts';
import { Widget, WidgetBody, type WidgetReading } from '../../../../shared/widget/index.ts';
import type { PlatformNow } from '../useOverview.ts';
import { type Act, ActDialog } from './ActDialog.tsx';
import { decideHoldAct, haltAct, pauseReplayAct, replaySpeedAct, resumeAct, shockAct } from './acts.ts';
import { Engine } from './Engine.tsx';
import { Feeds } from './Feeds.tsx';
import { Invariants } from './Invariants.tsx';
import { HeldPrices, ReplayControls, Simulation } from './MarketControls.tsx';
import { verdictOf } from './words.ts';

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'];

const skeleton = (
  <div className="flex grow flex-col gap-[11px] px-4 py-2">
    {skeletonRows.map((row) => (
      <div key={row} className="flex h-5 items-center justify-between">
        <Skeleton className="h-3 w-40" />
        <Skeleton className="h-3 w-16" />
      </div>
    ))}
  </div>
);

export function PlatformPanel({ reading }: { readonly reading: WidgetReading<PlatformNow> }) {
  const { supabase } = useSignedIn();
  const [act, setAct] = useState<Act | null>(null);
  const verdict = reading.figures && verdictOf(reading.figures);
  return (
    <Widget
      title="Platform"
      ref={reading.ref}
      staleSince={reading.staleSince}
      className="min-h-[560px]"
      aside={<span role="status">{verdict ? <Badge tone={verdict.tone}>{verdict.text}</Badge> : null}</span>}
    >
      <WidgetBody reading={reading} skeleton={skeleton} failed="Failed to fetch the state of the platform">
        {({ engine, controls, simulated, ...platform }) => (
          <div className="flex grow flex-col border-t border-line">
            <Feeds {...platform} />
            <HeldPrices
              holds={controls.holds}
              onDecide={(hold, isAccepted) => setAct(decideHoldAct(supabase, hold, isAccepted))}
            />
            <Invariants {...platform} />
            <Engine
              engine={engine}
              onHalt={() => setAct(engine.halt === null ? haltAct(supabase) : resumeAct(supabase))}
            />
            {controls.replay ? (
              <ReplayControls
                replay={controls.replay}
                onPause={() => controls.replay && setAct(pauseReplayAct(supabase, controls.replay))}
                onSpeed={() => controls.replay && setAct(replaySpeedAct(supabase, controls.replay))}
              />
            ) : null}
            {simulated ? (
              <Simulation shocks={controls.shocks} onShock={() => setAct(shockAct(supabase))} />
            ) : null}
            <div className="mt-auto flex min-h-11 items-center justify-between border-t border-line px-4 text-12">
              <span className="text-text-3">Who did what</span>
              <Link
                to="/admin/audit"
                className="inline-flex min-h-6 items-center font-medium text-accent hover:underline max-md:min-h-11"
              >
                Audit log
              </Link>
            </div>
          </div>
        )}
      </WidgetBody>
      {act ? (
        <ActDialog
          act={act}
          onAnswered={reading.readAgain}
          onClose={() => setAct(null)}
          panel={reading.ref}
        />
      ) : null}
    </Widget>
  );
}
