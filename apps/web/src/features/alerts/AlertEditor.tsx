/**
 * The dialog that creates an alert, or changes the level of one. The pair is the shown one; an ROE and a distance need an open
 * position. The server checks again, on the prices of that moment.
 */
import { type AlertDirection, type AlertKind, alertKinds, toDecimalString } from '@fulcrum/domain';
import { useRef, useState } from 'react';
import { sideLabel, useOpenPositions } from '../../shared/account/index.ts';
import { type ParsedAmount, parseAmount } from '../../shared/decimals/amount.ts';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useSubmission } from '../../shared/form/index.ts';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { newUuid } from '../../shared/ids/index.ts';
import { formatPrice, formatSize } from '../../shared/numbers/index.ts';
import type { Position } from '../../shared/supabase/index.ts';
import { Checkbox, Segmented, showToast, TextField } from '../../shared/ui/index.ts';
import { type Pair, usePriceStream } from '../market/index.ts';
import { describeAlert, windows } from './alert-text.ts';
import type { EditedAlert } from './editor-store.ts';
import type { AlertCommands } from './useAlertCommands.ts';

const kindNames: Readonly<Record<AlertKind, string>> = {
  price: 'Price',
  change: 'Change',
  roe: 'ROE',
  liquidation: 'Liquidation',
};
const kindOptions = alertKinds.map((value) => ({ value, label: kindNames[value] }));

const levelLabels: Readonly<Record<AlertKind, string>> = {
  price: 'Price',
  change: 'Change in %',
  roe: 'ROE in %',
  liquidation: 'Distance in % of the price',
};
const levelHints: Readonly<Record<AlertKind, string>> = {
  price: 'Fires when the price reaches it from where it is now.',
  change: 'Looked at once a minute, against the price at the start of the time.',
  roe: 'Fires when the ROE of the position reaches it from where it is now.',
  liquidation: 'Fires when the price comes this close to the liquidation price.',
};
const repeatTexts: Readonly<Record<AlertKind, string>> = {
  price: 'Each time the price crosses it, at most once a minute',
  change: 'Again, at most once in this time',
  roe: 'Again after the position has changed',
  liquidation: 'Again after the position has changed',
};

const directionOptions = [
  { value: 'rises', label: 'Rises', tone: 'up' },
  { value: 'falls', label: 'Falls', tone: 'down' },
] as const satisfies readonly { value: AlertDirection; label: string; tone: 'up' | 'down' }[];

const firstWindow = 15;
const noPositions: readonly Position[] = [];

/** A negative ROE is a loss; every other level is above zero. */
function parseLevel(kind: AlertKind, text: string): ParsedAmount & { readonly sign?: string } {
  const isLoss = kind === 'roe' && /^\s*[-\u2212]/.test(text);
  const parsed = parseAmount((isLoss ? text.replace(/[-\u2212]/, '') : text).replace('%', ''));
  return isLoss ? { ...parsed, sign: '-' } : parsed;
}

function idOf(ids: Map<string, string>, terms: object): string {
  const key = JSON.stringify(terms);
  const id = ids.get(key) ?? newUuid();
  ids.set(key, id);
  return id;
}

interface AlertEditorProps {
  readonly edited: EditedAlert;
  readonly pair: Pair;
  readonly commands: AlertCommands;
  readonly onClose: () => void;
}

export default function AlertEditor({ edited: { alert }, pair, commands, onClose }: AlertEditorProps) {
  const { symbol, tickSize, stepSize } = pair;
  const stream = usePriceStream();
  const positions = (useOpenPositions().data ?? noPositions).filter((one) => one.symbol === symbol);
  /** One id per set of terms: a request that is sent again is the same alert, other terms are another one. */
  const ids = useRef(new Map<string, string>());
  const [kind, setKind] = useState<AlertKind>(alert?.kind ?? 'price');
  const [direction, setDirection] = useState<AlertDirection>(alert?.direction ?? 'rises');
  const [windowMinutes, setWindowMinutes] = useState(alert?.windowMinutes ?? firstWindow);
  const [chosenPosition, setChosenPosition] = useState(alert?.positionId ?? null);
  const [repeats, setRepeats] = useState(alert?.repeats ?? false);
  const isOfPosition = kind === 'roe' || kind === 'liquidation';
  const positionId = isOfPosition ? (chosenPosition ?? positions.at(0)?.id ?? null) : null;
  const lacksPosition = isOfPosition && positionId === null;

  const submission = useSubmission({
    names: ['level'],
    check: ({ level }) => ({
      level:
        parseLevel(kind, level).kind === 'amount'
          ? null
          : kind === 'price'
            ? 'Type a price, such as 95600.'
            : 'Type a percentage, such as 2.5.',
    }),
    send: async ({ level: text }) => {
      const parsed = parseLevel(kind, text);
      if (parsed.kind !== 'amount') return null;
      const terms = {
        level: `${parsed.sign ?? ''}${toDecimalString(parsed.size)}`,
        direction: kind === 'change' ? direction : null,
        windowMinutes: kind === 'change' ? windowMinutes : null,
        repeats,
      };
      const saved = alert
        ? await commands.change(alert.id, terms)
        : await commands.create({
            ...terms,
            id: idOf(ids.current, { ...terms, kind, positionId }),
            kind,
            symbol,
            positionId,
          });
      return () => {
        showToast('success', `Alert set: ${symbol}, ${describeAlert(saved, tickSize)}`);
        onClose();
      };
    },
    failed: (cause) => ({ text: failedWith('Failed to set the alert')(cause), at: 'level' }),
  });
  const last = stream.latest(symbol)?.price;
  return (
    <FormDialog
      title={alert ? `Change the alert on ${symbol}` : `New alert on ${symbol}`}
      description={
        <p className="mt-2 text-13 text-text-2">
          It notifies you here, in every open tab{alert ? '.' : ', and trades nothing.'}
        </p>
      }
      submission={submission}
      submit={alert ? 'Set the alert' : 'Create alert'}
      isMuted={lacksPosition}
      onClose={onClose}
    >
      {alert ? null : (
        <Segmented<AlertKind> label="Alert on" options={kindOptions} value={kind} onChange={setKind} />
      )}
      {kind === 'change' ? (
        <>
          <Segmented<AlertDirection>
            label="Direction"
            options={directionOptions}
            value={direction}
            onChange={setDirection}
          />
          <SelectField
            label="Time"
            value={`${windowMinutes}`}
            options={windows.map(({ minutes, text }) => ({ value: `${minutes}`, label: text }))}
            onChange={(value) => setWindowMinutes(Number(value))}
          />
        </>
      ) : null}
      {isOfPosition && !alert ? (
        lacksPosition ? (
          <p role="status" className="text-13 text-text-2">
            You have no open position in {symbol}.
          </p>
        ) : (
          <SelectField
            label="Position"
            value={positionId ?? ''}
            options={positions.map((one) => ({
              value: one.id,
              label: `${sideLabel(one.side)} ${formatSize(one.size, stepSize)} ${one.leverage}×, entry ${formatPrice(one.entryPrice, tickSize)}`,
            }))}
            onChange={setChosenPosition}
          />
        )
      ) : null}
      <TextField
        key={kind}
        label={levelLabels[kind]}
        {...submission.fieldOf('level')}
        inputMode={kind === 'roe' ? 'text' : 'decimal'}
        defaultValue={alert && kind === alert.kind ? alert.level : ''}
        placeholder={kind === 'price' && last !== undefined ? formatPrice(last, tickSize) : ''}
        hint={levelHints[kind]}
      />
      <Checkbox checked={repeats} onChange={setRepeats}>
        {repeatTexts[kind]}
      </Checkbox>
    </FormDialog>
  );
}
