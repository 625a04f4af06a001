/** The parameters and the colour of one added study. A valid value applies as it is typed; an invalid one says why. */
import { useId, useState } from 'react';
import { type AddedStudy, type Ink, inks, paramError, studyKinds } from '../settings/studies.ts';

const inkStyles: Readonly<Record<Ink, string>> = {
  accent: 'bg-accent',
  series1: 'bg-series-1',
  series2: 'bg-series-2',
  warn: 'bg-warn',
  text: 'bg-text',
};

interface StudySettingsProps {
  readonly study: AddedStudy;
  readonly onChange: (study: AddedStudy) => void;
}

export function StudySettings({ study, onChange }: StudySettingsProps) {
  const id = useId();
  const { title, labels } = studyKinds[study.name];
  const [texts, setTexts] = useState<readonly string[]>(() => study.params.map(String));
  const toValue = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
  const type = (changed: number, text: string) => {
    const next = texts.map((one, index) => (index === changed ? text : one));
    setTexts(next);
    const params = next.map(toValue);
    if (params.every((value) => paramError(value) === null)) onChange({ ...study, params });
  };
  const error = texts.map((text) => paramError(toValue(text))).find((one) => one !== null) ?? null;
  return (
    <fieldset className="mb-1 flex flex-col gap-2 border-l-2 border-line-strong py-1 pl-2">
      <legend className="sr-only">{`Settings of ${title}`}</legend>
      {labels.length === 0 ? null : (
        <div className="grid grid-cols-3 gap-2">
          {labels.map((label, index) => (
            <div key={label} className="flex min-w-0 flex-col gap-1">
              <label htmlFor={`${id}-${label}`} className="truncate text-11 text-text-3">
                {label}
              </label>
              <input
                id={`${id}-${label}`}
                inputMode="numeric"
                autoComplete="off"
                value={texts[index] ?? ''}
                onChange={({ target }) => type(index, target.value)}
                aria-invalid={paramError(toValue(texts[index] ?? '')) === null ? undefined : true}
                aria-describedby={error === null ? undefined : `${id}-error`}
                className="control h-8 w-full px-2 text-13 max-md:h-11 max-md:text-16 pointer-coarse:text-16"
              />
            </div>
          ))}
        </div>
      )}
      <p id={`${id}-error`} role="status" className="text-11 text-down empty:hidden">
        {error ?? ''}
      </p>
      <fieldset className="flex gap-1">
        <legend className="sr-only">Colour</legend>
        {inks.map((ink, index) => (
          <button
            key={ink}
            type="button"
            aria-label={`Colour ${index + 1} of ${inks.length}`}
            aria-pressed={study.ink === ink}
            onClick={() => onChange({ ...study, ink })}
            className="grid size-6 place-items-center rounded-full border border-transparent aria-pressed:border-text max-lg:size-11"
          >
            <span aria-hidden="true" className={`size-3.5 rounded-full ${inkStyles[ink]}`} />
          </button>
        ))}
      </fieldset>
    </fieldset>
  );
}
