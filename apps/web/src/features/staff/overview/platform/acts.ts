/** What an admin can do about the platform, each as the dialog asks for it. */
import { newClientId } from '../../../../shared/ids/index.ts';
import { decimalsOfStep, formatFigure } from '../../../../shared/numbers/index.ts';
import { rowsOf, type Supabase } from '../../../../shared/supabase/index.ts';
import type { Controls } from '../useOverview.ts';
import type { Act } from './ActDialog.tsx';
import { sourceNames } from './words.ts';

type Hold = Controls['holds'][number];
type Replay = NonNullable<Controls['replay']>;
type Send = Act['send'];

/** A price without knowing its pair: as many decimals as it has. */
export const priceText = (price: number): string => formatFigure(price, decimalsOfStep(price));

const number = (text: string | undefined): number => Number(text?.trim().replace('\u2212', '-'));
const within = (from: number, to: number, text: string) => (value: string) => {
  const given = value.trim() === '' ? Number.NaN : number(value);
  return given >= from && given <= to ? null : text;
};

export const haltAct = ({ rest }: Supabase): Act => ({
  title: 'Halt trading',
  description:
    'From then on nothing is opened, closed, filled, liquidated or adjusted, on any account, over a restart too, until an admin resumes.',
  submit: 'Halt trading',
  tone: 'down',
  failed: 'Trading could not be halted',
  done: 'Trading is halted',
  send: ({ reason = '' }) => rowsOf(rest.rpc('halt_trading', { p_reason: reason })),
});

export const resumeAct = ({ rest }: Supabase): Act => ({
  title: 'Resume trading',
  description:
    'Orders and protections that the present prices have reached take effect at once, at these prices. After a violation the books are checked first.',
  submit: 'Resume trading',
  tone: 'primary',
  failed: 'Trading could not be resumed',
  done: 'Trading is resumed',
  send: ({ reason = '' }) => rowsOf(rest.rpc('resume_trading', { p_reason: reason })),
});

export function decideHoldAct({ rest }: Supabase, hold: Hold, isAccepted: boolean): Act {
  const { symbol, source } = hold;
  const [price, last] = [priceText(hold.price), priceText(hold.last_price)];
  const accept: Send = ({ reason = '' }) =>
    rowsOf(rest.rpc('accept_price', { p_symbol: symbol, p_reason: reason, p_price: hold.price }));
  const reject: Send = ({ reason = '' }) =>
    rowsOf(rest.rpc('reject_price', { p_symbol: symbol, p_reason: reason, p_price: hold.price }));
  return isAccepted
    ? {
        title: `Accept ${price} for ${symbol}`,
        description: `The price goes from ${last} to ${price} (${sourceNames[source]}) at once; what it has reached is closed and filled.`,
        submit: `Accept ${price}`,
        tone: 'primary',
        failed: 'The price could not be accepted',
        done: `${symbol} is at ${price}`,
        send: accept,
      }
    : {
        title: `Reject ${price} for ${symbol}`,
        description: `The price stays ${last}. The next one that is as far off is held back anew.`,
        submit: `Reject ${price}`,
        tone: 'down',
        failed: 'The price could not be rejected',
        done: `${price} for ${symbol} is rejected`,
        send: reject,
      };
}

export const pauseReplayAct = ({ rest }: Supabase, { paused }: Replay): Act => ({
  title: paused ? 'Play the recording' : 'Pause the recording',
  description: paused
    ? 'Prices move on from where they stand.'
    : 'Prices stand still but stay fresh: people can trade on them.',
  submit: paused ? 'Play' : 'Pause',
  tone: 'primary',
  failed: 'The recording could not be changed',
  done: paused ? 'The recording plays' : 'The recording is paused',
  send: ({ reason = '' }) => rowsOf(rest.rpc('set_replay', { p_paused: !paused, p_reason: reason })),
});

export const replaySpeedAct = ({ rest }: Supabase, { speed }: Replay): Act => ({
  title: 'Speed of the recording',
  description: 'Recorded seconds per second.',
  submit: 'Set speed',
  tone: 'primary',
  fields: [
    {
      name: 'speed',
      label: 'Speed',
      hint: 'From 1 to 3600.',
      initial: `${speed}`,
      inputMode: 'decimal',
      check: within(1, 3600, 'A speed is a number from 1 to 3600.'),
    },
  ],
  failed: 'The speed could not be changed',
  done: 'The speed is changed',
  send: ({ reason = '', speed: asked }) =>
    rowsOf(rest.rpc('set_replay', { p_speed: number(asked), p_reason: reason })),
});

const halfLifeOf = (text: string | undefined): number | null => (text?.trim() ? number(text) : null);
const checkHalfLife = within(0.01, 10_080, 'Minutes from 0.01 to 10080, or nothing.');

const percentText = 'A number from −50 to 100.';
/** A move by nothing would be an act in the log that did nothing. */
const checkPercent = (value: string): string | null =>
  number(value) === 0 ? percentText.replace('.', ', and not 0.') : within(-50, 100, percentText)(value);

export function shockAct({ rest }: Supabase): Act {
  // A repeat of the same move has the same id: an answer that was lost moves no price twice.
  let asked = { move: '', id: '' };
  const idOf = (move: string): string => {
    if (move !== asked.move) asked = { move, id: newClientId() };
    return asked.id;
  };
  return {
    title: 'Move a simulated price',
    description: 'At once, for everybody; the move is part of the price’s past for good.',
    submit: 'Move the price',
    tone: 'primary',
    fields: [
      {
        name: 'symbol',
        label: 'Symbol',
        initial: '',
        check: (value) => (value.trim() === '' ? 'Name a symbol, such as BTCUSDT.' : null),
      },
      {
        name: 'percent',
        label: 'Percent',
        hint: 'From −50 to 100.',
        inputMode: 'decimal',
        check: checkPercent,
      },
      {
        name: 'half_life',
        label: 'Half-life in minutes',
        hint: 'After which half of the move is left. Empty: it stays.',
        inputMode: 'decimal',
        check: (value) => (value.trim() === '' ? null : checkHalfLife(value)),
      },
    ],
    failed: 'The price could not be moved',
    done: 'The price is moved',
    send: ({ reason = '', symbol = '', percent, half_life }) => {
      const move = {
        p_symbol: symbol.trim().toUpperCase(),
        p_percent: number(percent),
        p_half_life_minutes: halfLifeOf(half_life),
      };
      const p_client_id = idOf(JSON.stringify(move));
      return rowsOf(rest.rpc('shock_price', { ...move, p_reason: reason, p_client_id }));
    },
  };
}
