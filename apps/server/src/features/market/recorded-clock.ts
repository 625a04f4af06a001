/** The state of a recording: for all users beside the prices, for admins as the trouble of its source. */
import type { RecordedClock } from '@fulcrum/contract';
import type { ReplayControls } from './feeds/replay/index.ts';

export function recordedClockOf(controls: ReplayControls | null): RecordedClock | null {
  if (!controls) return null;
  const { paused, actual_speed, jump } = controls;
  return { speed: actual_speed, paused: paused || jump !== null, waits_for: jump?.symbol ?? null };
}

export const describeStop = (controls: ReplayControls | null): string | null => {
  if (controls?.jump) return controls.jump.text;
  return controls?.paused ? 'Paused' : null;
};
