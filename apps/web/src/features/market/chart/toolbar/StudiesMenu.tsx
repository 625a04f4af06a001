/**
 * The indicators panel: a searchable list of studies with a switch each. A study on the chart can be hidden there, and
 * has its settings: the four own ones their periods (TRADE-19), the others parameters and a colour.
 */
import ChartSpline from 'lucide-react/icons/chart-spline';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Sliders from 'lucide-react/icons/sliders-horizontal';
import { useState } from 'react';
import { Popover, Switch } from '../../../../shared/ui/index.ts';
import type { Periods } from '../settings/chart-settings.ts';
import {
  addedMax,
  coreStudies,
  extraStudies,
  getStudyTitle,
  isExtraStudy,
  matchesStudy,
  type Study,
  type StudyId,
} from '../settings/studies.ts';
import type { ChartController } from '../tools/useChartController.ts';
import { PeriodsForm } from './PeriodsForm.tsx';
import { StudySettings } from './StudySettings.tsx';
import { ToolbarButton } from './ToolbarButton.tsx';

const notes: Readonly<Record<Study, (periods: Periods) => string>> = {
  sma: ({ smaShort, smaLong }) => `${smaShort}, ${smaLong}`,
  rsi: ({ rsi }) => `${rsi}`,
  macd: ({ macdFast, macdSlow, macdSignal }) => `${macdFast}, ${macdSlow}, ${macdSignal}`,
  volume: () => '',
};

const iconButton =
  'grid size-6 shrink-0 place-items-center rounded-control text-text-2 hover:bg-surface hover:text-text aria-expanded:text-accent max-lg:size-11';

function StudyRow({ id, controller }: { readonly id: StudyId; readonly controller: ChartController }) {
  const { settings, studyPanel } = controller;
  const added = settings.added.find(({ name }) => name === id);
  const isOn = isExtraStudy(id) ? added !== undefined : settings.shown[id];
  const isConcealed = settings.concealed.includes(id);
  const isFull = isExtraStudy(id) && !isOn && settings.added.length >= addedMax;
  const isExpanded = studyPanel.study === id;
  const title = getStudyTitle(id);
  const note = isExtraStudy(id) ? (added?.params.join(', ') ?? '') : notes[id](settings.periods);
  return (
    <li className="flex flex-col">
      <div className="flex items-center gap-1">
        <div className="min-w-0 grow">
          <Switch
            label={title}
            note={isFull ? `${addedMax} at most` : note}
            checked={isOn}
            onChange={(checked) => controller.toggleStudy(id, checked)}
          />
        </div>
        {isOn ? (
          <>
            <button
              type="button"
              className={iconButton}
              aria-label={isConcealed ? `Show ${title}` : `Hide ${title}`}
              title={isConcealed ? `Show ${title}` : `Hide ${title}`}
              onClick={() => controller.concealStudy(id, !isConcealed)}
            >
              {isConcealed ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
            </button>
            {added ? (
              <button
                type="button"
                className={iconButton}
                aria-label={`Settings of ${title}`}
                title={`Settings of ${title}`}
                aria-expanded={isExpanded}
                onClick={() => controller.showStudyPanel({ isOpen: true, study: isExpanded ? null : id })}
              >
                <Sliders size={14} aria-hidden="true" />
              </button>
            ) : null}
          </>
        ) : null}
      </div>
      {added && isExpanded ? (
        <StudySettings key={added.name} study={added} onChange={controller.changeStudy} />
      ) : null}
    </li>
  );
}

interface StudiesMenuProps {
  readonly controller: ChartController;
  readonly isNarrow: boolean;
}

export function StudiesMenu({ controller, isNarrow }: StudiesMenuProps) {
  const [query, setQuery] = useState('');
  const { studyPanel, showStudyPanel } = controller;
  const { shown, added } = controller.settings;
  const count = coreStudies.filter((study) => shown[study]).length + added.length;
  const onChart = added.map(({ name }) => name);
  const others = extraStudies.filter((name) => !onChart.includes(name));
  const found = [...coreStudies, ...onChart, ...others].filter((id) => matchesStudy(id, query));
  return (
    <Popover
      open={studyPanel.isOpen}
      onOpenChange={(isOpen) => {
        showStudyPanel({ isOpen, study: null });
        setQuery('');
      }}
      label="Indicators"
      trigger={
        <ToolbarButton
          label={`Indicators ${count} shown`}
          icon={<ChartSpline size={16} aria-hidden="true" />}
          text={isNarrow ? undefined : 'Indicators'}
          count={count}
        />
      }
    >
      <input
        type="search"
        aria-label="Search indicators"
        placeholder="Search indicators"
        autoComplete="off"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        className="control mb-2 h-8 w-full px-2 text-13 max-md:h-11 max-md:text-16 pointer-coarse:text-16"
      />
      <ul
        aria-label="Studies"
        className="-mr-2 flex max-h-64 w-72 max-w-full flex-col gap-1 overflow-y-auto pr-2"
      >
        {found.map((id) => (
          <StudyRow key={id} id={id} controller={controller} />
        ))}
      </ul>
      <p role="status" className="text-12 text-text-2 empty:hidden">
        {found.length === 0 ? 'No indicator matches this search. Try a shorter word.' : ''}
      </p>
      {query === '' ? (
        <>
          <div className="-mx-4 my-3 h-px bg-line" />
          <PeriodsForm
            controller={controller}
            onDone={() => showStudyPanel({ isOpen: false, study: null })}
          />
        </>
      ) : null}
    </Popover>
  );
}
