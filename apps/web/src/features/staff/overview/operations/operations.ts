/** The operations of an admin, each in the form that the dialog needs. */
import { newClientId } from '../../../../shared/ids/index.ts';
import { formatExact, toPlainMinus } from '../../../../shared/numbers/index.ts';
import { type Supabase, unwrap } from '../../../../shared/supabase/index.ts';
import type { Controls } from '../useOverview.ts';
import { sourceNames } from './labels.ts';
import type { Operation } from './OperationDialog.tsx';

type Hold = Controls['holds'][number];
type Replay = NonNullable<Controls['replay']>;
type Send = Operation['send'];

const parseNumber = (text: string | undefined): number =>
  text === undefined ? Number.NaN : Number(toPlainMinus(text.trim()));
const validateRange = (from: number, to: number, text: string) => (value: string) => {
  const parsed = value.trim() === '' ? Number.NaN : parseNumber(value);
  return parsed >= from && parsed <= to ? null : text;
};

export const haltOperation = ({ rest }: Supabase): Operation => ({
  title: 'Halt trading',
  description:
    'Stops opening, closing, filling, liquidating and adjusting on all accounts until an admin resumes. A restart doesn’t end the halt.',
  submit: 'Halt trading',
  tone: 'down',
  failureText: 'Trading could not be halted',
  successText: 'Trading is halted',
  send: ({ reason = '' }) => unwrap(rest.rpc('halt_trading', { p_reason: reason })),
});

export const resumeOperation = ({ rest }: Supabase): Operation => ({
  title: 'Resume trading',
  description:
    'Orders and protections that current prices have reached execute at once, at these prices. After a violation the server checks the ledger first.',
  submit: 'Resume trading',
  tone: 'primary',
  failureText: 'Trading could not be resumed',
  successText: 'Trading is resumed',
  send: ({ reason = '' }) => unwrap(rest.rpc('resume_trading', { p_reason: reason })),
});

export function decideHoldOperation({ rest }: Supabase, hold: Hold, isAccepted: boolean): Operation {
  const { symbol, source } = hold;
  const [price, last] = [formatExact(hold.price, 0), formatExact(hold.last_price, 0)];
  const accept: Send = ({ reason = '' }) =>
    unwrap(rest.rpc('accept_price', { p_symbol: symbol, p_reason: reason, p_price: hold.price }));
  const reject: Send = ({ reason = '' }) =>
    unwrap(rest.rpc('reject_price', { p_symbol: symbol, p_reason: reason, p_price: hold.price }));
  return isAccepted
    ? {
        title: `Accept ${price} for ${symbol}`,
        description: `The price goes from ${last} to ${price} (${sourceNames[source]}) at once. Orders and protections that it reaches execute.`,
        submit: `Accept ${price}`,
        tone: 'primary',
        failureText: 'The price could not be accepted',
        successText: `${symbol} is at ${price}`,
        send: accept,
      }
    : {
        title: `Reject ${price} for ${symbol}`,
        description: `The price stays ${last}. The next price that is as far off is held again.`,
        submit: `Reject ${price}`,
        tone: 'down',
        failureText: 'The price could not be rejected',
        successText: `${price} for ${symbol} is rejected`,
        send: reject,
      };
}

export const pauseReplayOperation = ({ rest }: Supabase, { paused }: Replay): Operation => ({
  title: paused ? 'Play the recording' : 'Pause the recording',
  description: paused
    ? 'Prices continue from where they stopped.'
    : 'Prices stop moving but stay fresh: users can trade on them.',
  submit: paused ? 'Play' : 'Pause',
  tone: 'primary',
  failureText: 'The recording could not be changed',
  successText: paused ? 'The recording is playing' : 'The recording is paused',
  send: ({ reason = '' }) => unwrap(rest.rpc('set_replay', { p_paused: !paused, p_reason: reason })),
});

export const replaySpeedOperation = ({ rest }: Supabase, { speed }: Replay): Operation => ({
  title: 'Speed of the recording',
  description: 'Recorded seconds played per second.',
  submit: 'Set speed',
  tone: 'primary',
  fields: [
    {
      name: 'speed',
      label: 'Speed',
      hint: 'From 1 to 3600.',
      initial: `${speed}`,
      inputMode: 'decimal',
      validate: validateRange(1, 3600, 'Enter a speed from 1 to 3600.'),
    },
  ],
  failureText: 'The speed could not be changed',
  successText: 'The speed is changed',
  send: ({ reason = '', speed: requested }) =>
    unwrap(rest.rpc('set_replay', { p_speed: parseNumber(requested), p_reason: reason })),
});

export const jumpOperation = (
  { rest }: Supabase,
  { symbol, at, price, last_price }: NonNullable<Replay['jump']>,
  decision: 'gap' | 'without',
): Operation => {
  const send: Send = ({ reason = '' }) =>
    unwrap(rest.rpc('set_replay', { p_jump: decision, p_symbol: symbol, p_at: at, p_reason: reason }));
  const common = {
    failureText: 'The recording could not continue',
    successText: 'The recording continues',
    send,
  } as const;
  const [from, to] = [formatExact(last_price, 0), formatExact(price, 0)];
  return decision === 'gap'
    ? {
        ...common,
        title: `Continue: ${symbol} jumps to ${to}`,
        description: `${symbol} goes from ${from} to ${to} at once, with no price between. Orders and protections that it reaches execute at the price after the gap.`,
        submit: 'Continue as a gap',
        tone: 'primary',
      }
    : {
        ...common,
        title: `Continue without ${symbol}`,
        description: `The market of ${symbol} ends at ${from}. Nothing opens, fires or closes on it until the server restarts.`,
        submit: `Continue without ${symbol}`,
        tone: 'down',
      };
};

const parseHalfLife = (text: string | undefined): number | null => (text?.trim() ? parseNumber(text) : null);
const validateHalfLife = validateRange(0.01, 10_080, 'Enter minutes from 0.01 to 10080, or leave it empty.');

const percentRangeText = 'Enter a number from −50 to 100.';
/** Rejects 0: the audit log would contain an operation without effect. */
const validatePercent = (value: string): string | null =>
  parseNumber(value) === 0
    ? percentRangeText.replace('.', ', and not 0.')
    : validateRange(-50, 100, percentRangeText)(value);

export function shockOperation({ rest }: Supabase): Operation {
  // A repeat of the same move has the same id, so a lost answer never moves a price twice.
  let requested = { move: '', id: '' };
  const clientIdFor = (move: string): string => {
    if (move !== requested.move) requested = { move, id: newClientId() };
    return requested.id;
  };
  return {
    title: 'Move a simulated price',
    description: 'Applies at once and for all users. The move stays in the price history.',
    submit: 'Move the price',
    tone: 'primary',
    fields: [
      {
        name: 'symbol',
        label: 'Symbol',
        initial: '',
        validate: (value) => (value.trim() === '' ? 'Enter a symbol, such as BTCUSDT.' : null),
      },
      {
        name: 'percent',
        label: 'Percent',
        hint: 'From −50 to 100.',
        inputMode: 'decimal',
        validate: validatePercent,
      },
      {
        name: 'half_life',
        label: 'Half-life in minutes',
        hint: 'The time in which the move halves. Leave it empty to keep the move.',
        inputMode: 'decimal',
        validate: (value) => (value.trim() === '' ? null : validateHalfLife(value)),
      },
    ],
    failureText: 'The price could not be moved',
    successText: 'The price is moved',
    send: ({ reason = '', symbol = '', percent, half_life }) => {
      const move = {
        p_symbol: symbol.trim().toUpperCase(),
        p_percent: parseNumber(percent),
        p_half_life_minutes: parseHalfLife(half_life),
      };
      const p_client_id = clientIdFor(JSON.stringify(move));
      return unwrap(rest.rpc('shock_price', { ...move, p_reason: reason, p_client_id }));
    },
  };
}
